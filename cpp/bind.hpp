// What every bind_*.cpp and bindings.cpp share: flat buffers in, flat buffers out, GIL released in between.
// Arguments are checked in quchong/kernels.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "corpus.hpp"

namespace quchong {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <class T>
std::span<const T> view(const In<T>& a) {
  return {a.data(), a.size()};
}

// Hands a vector over to NumPy without a copy. Needs the GIL.
template <class T>
Out<T> give(std::vector<T>&& v) {
  auto* kept = new std::vector<T>(std::move(v));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), {kept->size()}, owner);
}

template <class F>
auto unlocked(F&& f) {
  nb::gil_scoped_release release;
  return f();
}

// Addresses and lengths of texts; quchong/kernels/dispatch.py holds their buffers while a kernel runs.
inline Texts texts_of(const In<u64>& address, const In<std::int64_t>& length) { return {view(address), view(length)}; }
inline Ragged ragged_of(const In<u32>& tokens, const In<std::int64_t>& offsets) { return {view(tokens), view(offsets)}; }

}  // namespace quchong
