// Arrays of NumPy whose memory may spill (NEP 49). NumPy is not needed to build: the handler's layout and the two places in NumPy's
// table of functions are part of its ABI since 1.22.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "bind.hpp"
#include "machine/spilling.hpp"

namespace quchong {

struct NumpyAllocator {
  void* context;
  void* (*take)(void*, std::size_t);
  void* (*take_zeros)(void*, std::size_t, std::size_t);
  void* (*resize)(void*, void*, std::size_t);
  void (*drop)(void*, void*, std::size_t);
};
struct NumpyHandler {
  char name[127];
  std::uint8_t version;
  NumpyAllocator allocator;
};

// What is not to spill is left to the handler NumPy has by itself. NumPy keeps with each array the handler that made it.
struct NumpyMemory {
  inline static NumpyAllocator plain{};
  inline static NumpyHandler handler{};

  static void* take(void*, std::size_t size) {
    bool failed = false;
    if (void* block = spilled_block(size, failed); block || failed) return block;
    void* block = plain.take(plain.context, size);
    note_taken(block, size);
    return block;
  }
  static void* take_zeros(void*, std::size_t count, std::size_t each) {
    bool failed = false;
    if (each && count > SIZE_MAX / each) return nullptr;
    if (void* block = spilled_block(count * each, failed); block || failed) return block;
    void* block = plain.take_zeros(plain.context, count, each);
    note_taken(block, count * each);
    return block;
  }
  static void* resize(void* context, void* block, std::size_t size) {
    const auto before = block ? spilled_size(block) : 0;
    if (!before) {
      if (block) note_dropped(block);
      void* larger = plain.resize(plain.context, block, size);
      note_taken(larger ? larger : block, size);
      return larger;
    }
    void* other = take(context, size);
    if (!other) return nullptr;
    std::memcpy(other, block, std::min(before, size));
    drop_spilled(block);
    return other;
  }
  static void drop(void*, void* block, std::size_t size) {
    if (!block) return;
    if (spilled_size(block)) return drop_spilled(block);
    if (size >= (1 << 20)) note_dropped(block);
    plain.drop(plain.context, block, size);
  }
};

// NumPy's table of functions, of version 1 or 2.
inline void** numpy_functions() {
  const bool two = nb::hasattr(nb::module_::import_("numpy"), "_core");
  nb::object api = nb::module_::import_(two ? "numpy._core._multiarray_umath" : "numpy.core._multiarray_umath").attr("_ARRAY_API");
  auto** table = static_cast<void**>(PyCapsule_GetPointer(api.ptr(), nullptr));
  if (!table) throw nb::python_error();
  return table;
}

// Arrays made from now on in this context (of `contextvars`) take their memory here; returns the handler there was before.
inline nb::object numpy_memory() {
  auto** table = numpy_functions();
  const auto get = reinterpret_cast<PyObject* (*)()>(table[305]);
  const auto set = reinterpret_cast<PyObject* (*)(PyObject*)>(table[304]);
  if (!NumpyMemory::handler.version) {
    nb::object now = nb::steal(get());
    const auto* given = static_cast<NumpyHandler*>(PyCapsule_GetPointer(now.ptr(), "mem_handler"));
    if (!given) throw nb::python_error();
    NumpyMemory::plain = given->allocator;
    auto& handler = NumpyMemory::handler;
    std::strncpy(handler.name, "quchong", sizeof handler.name - 1);
    handler.allocator = {nullptr, NumpyMemory::take, NumpyMemory::take_zeros, NumpyMemory::resize, NumpyMemory::drop};
    handler.version = 1;
  }
  nb::object ours = nb::steal(PyCapsule_New(&NumpyMemory::handler, "mem_handler", nullptr));
  nb::object before = nb::steal(set(ours.ptr()));
  if (!before.is_valid()) throw nb::python_error();
  return before;
}

// The handler that `numpy_memory` gave back is NumPy's again in this context.
inline void numpy_memory_as_before(nb::object before) {
  nb::steal(reinterpret_cast<PyObject* (*)(PyObject*)>(numpy_functions()[304])(before.ptr()));
}

}  // namespace quchong
