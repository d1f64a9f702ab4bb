// How a kernel becomes a function of `_quchong`. A family's bindings.cpp says for each its name, the names of its arguments
// and how to call it; all else stands here. Arguments are checked in quchong/kernels.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace quchong {

namespace nb = nanobind;

using U8 = std::span<const std::uint8_t>;
using U32 = std::span<const u32>;
using U64 = std::span<const u64>;
using I64 = std::span<const std::int64_t>;
using F64 = std::span<const double>;
using Mask = std::vector<std::uint8_t>;

// What Python gives for a parameter: an array for a span, its own type for all else.
template <class T>
struct Given {
  using Type = T;
  static T as(T value) { return value; }
};
template <class T>
struct Given<std::span<const T>> {
  using Type = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  static std::span<const T> as(const Type& array) { return {array.data(), array.size()}; }
};

template <class T>
struct Given<std::vector<std::span<const T>>> {
  using Type = std::vector<typename Given<std::span<const T>>::Type>;
  static std::vector<std::span<const T>> as(const Type& arrays) {
    std::vector<std::span<const T>> out;
    out.reserve(arrays.size());
    for (const auto& array : arrays) out.push_back(Given<std::span<const T>>::as(array));
    return out;
  }
};

// What Python gets of a result: an array for a vector, without a copy, and a tuple for a tuple.
template <class T>
T hand_over(T&& value) {
  return std::move(value);
}
template <class T>
  requires std::is_arithmetic_v<T>
auto hand_over(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>(kept->data(), {kept->size()}, owner);
}
template <class... T>
auto hand_over(std::tuple<T...>&& values) {
  return std::apply([](auto&... each) { return std::make_tuple(hand_over(std::move(each))...); }, values);
}

// Members of a result as one, in the order Python gets them.
template <class... T>
std::tuple<T...> parts(T&... each) {
  return {std::move(each)...};
}

// A result that a kernel writes into an array made for it.
template <class T, class F>
std::vector<T> filled(std::size_t size, F&& fill) {
  std::vector<T> out(size);
  fill(std::span<T>(out));
  return out;
}

// An argument's name; a pointer may be None.
template <class T>
auto argument(const std::string& name) {
  if constexpr (std::is_pointer_v<T>) return nb::arg(name.c_str()).none();
  else return nb::arg(name.c_str());
}

// The names of a kernel's arguments, one string each; a method's first argument has none.
std::vector<std::string> words_of(const char* kernel, const char* names, std::size_t arguments, bool method);

template <class Scope, class F, class R, class... A>
void def_kernel(Scope& scope, const char* name, const char* names, F, R (F::*)(A...) const) {
  constexpr std::size_t self = std::is_same_v<Scope, nb::module_> ? 0 : 1;
  const auto words = words_of(name, names, sizeof...(A), self);
  const auto call = [](typename Given<A>::Type... given) {
    auto arguments = std::tuple<A...>(Given<A>::as(given)...);  // clang reads the shorter form as a declaration of a function
    if constexpr (std::is_void_v<R>) {
      nb::gil_scoped_release release;
      std::apply(F{}, arguments);
    } else {
      return hand_over([&] {
        nb::gil_scoped_release release;
        return std::apply(F{}, arguments);
      }());
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    scope.def(name, call, argument<std::tuple_element_t<I + self, std::tuple<A...>>>(words[I + self])...);
  }(std::make_index_sequence<sizeof...(A) - self>());
}

// Defines `name` in a module or class: `call` takes spans, numbers and objects, runs without the GIL and returns numbers,
// objects, vectors or tuples (`parts`) of them. `names` are those of its arguments in Python, one behind another.
template <class Scope, class F>
void def_kernel(Scope& scope, const char* name, const char* names, F call) {
  def_kernel(scope, name, names, call, &F::operator());
}

}  // namespace quchong
