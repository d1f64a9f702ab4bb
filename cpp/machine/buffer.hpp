// A growing array without initialisation: the place of one thread's intermediate results.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

namespace quchong {

template <class T>
class Buffer {
 public:
  void clear() { size_ = 0; }
  // Room for `capacity` items; what is there stays.
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    capacity = std::max(capacity, capacity_ + capacity_ / 2);
    auto larger = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy(data_.get(), data_.get() + size_, larger.get());
    data_ = std::move(larger);
    capacity_ = capacity;
  }
  void put(T value) { data_[size_++] = value; }  // within the room reserved
  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ + 64);
    put(value);
  }
  // Room for `more` items behind what is there; returns where they go. They count once `resize` says so.
  T* extend(std::size_t more) {
    reserve(size_ + more);
    return data_.get() + size_;
  }
  void resize(std::size_t size) { size_ = size; }
  void append(const T* from, std::size_t n) {
    std::copy(from, from + n, extend(n));
    size_ += n;
  }
  T* raw() { return data_.get(); }
  std::size_t size() const { return size_; }
  const T* data() const { return data_.get(); }
  const T* begin() const { return data_.get(); }
  const T* end() const { return data_.get() + size_; }
  T operator[](std::size_t i) const { return data_[i]; }
  operator std::span<const T>() const { return {data_.get(), size_}; }
  bool operator==(const Buffer& o) const { return size_ == o.size_ && std::equal(begin(), end(), o.begin()); }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace quchong
