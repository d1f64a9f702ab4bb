// Whole batches of texts to what the filters of exact repeats compare: the form's bytes, hashed. On threads.
#pragma once
#include "text/batches.hpp"
#include "elements/strict.hpp"

namespace quchong {

enum class ElementForm : int { raw = 0, strict = 1, loose = 2 };
// What became of a text: hashed; empty in its form, so that it equals nothing; or to be composed first.
inline constexpr std::uint8_t ELEMENT = 0, EMPTY_ELEMENT = 1, UNCOMPOSED = 2;

// Calls visit(i, bytes) for every text whose element is there, from several threads; `state` gets the rest's.
template <class F>
void for_elements(const StrictTable& table, const Texts& texts, ElementForm form, bool composed,
                  std::span<std::uint8_t> state, int threads, F&& visit) {
  std::vector<StrictScratch> strict(static_cast<std::size_t>(threads));
  std::vector<Scratch> loose(form == ElementForm::loose ? static_cast<std::size_t>(threads) : 0);
  parallel_for(texts.size(), 1024, threads, [&](int thread, std::int64_t from, std::int64_t to) {
    auto& scratch = strict[static_cast<std::size_t>(thread)];
    StrictForm strict_form(table, scratch);
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const auto text = texts[i];
      const auto n = static_cast<std::int64_t>(text.size());
      std::span<const unsigned char> bytes = text;
      if (form == ElementForm::loose) {
        if (!composed && composes(table.tables(), text.data(), n)) {
          state[i] = UNCOMPOSED;
          continue;
        }
        auto& s = loose[static_cast<std::size_t>(thread)];
        Normaliser<false>(table.tables(), {}, s).run(text.data(), n);
        encode(s.stream, scratch.bytes);
        bytes = scratch.bytes;
      }
      // A text without letters or digits is compared by its strict form.
      if (form == ElementForm::strict || (form == ElementForm::loose && bytes.empty())) {
        if (!strict_form.run(text.data(), n, composed)) {
          state[i] = UNCOMPOSED;
          continue;
        }
        bytes = scratch.bytes;
      }
      state[i] = bytes.empty() ? EMPTY_ELEMENT : ELEMENT;
      visit(i, bytes, thread);
    }
  });
}

}  // namespace quchong
