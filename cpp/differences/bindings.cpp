// What edits say, by the marks their tokens have, figures in one slot, slips in words, and what texts may have.
#include "bind.hpp"
#include "differences/hints.hpp"
#include "differences/letters.hpp"
#include "differences/reasons.hpp"
#include "differences/slots.hpp"

namespace quchong {

void bind_differences(nb::module_& m) {
  def_kernel(m, "edit_reasons",
             "tokens hashed offsets left right pair places around slip characters listed read anchored unit name scattered negated threads",
             [](U32 tokens, U32 hashed, I64 offsets, U32 left, U32 right, U32 pair, U32 places, U32 around, U8 slip, U8 characters, U8 listed,
                u32 read, u32 anchored, u32 unit, u32 name, u32 scattered, u32 negated, int threads) {
               return filled<std::uint8_t>(pair.size(), [&](auto out) {
                 reasons({tokens, offsets}, {hashed, offsets}, left, right, {pair, places, around, slip}, {characters, listed},
                         {read, anchored, unit, name, scattered, negated}, out, threads);
               });
             });
  def_kernel(m, "edit_slots", "tokens hashed offsets left right pair places before after numerals calendar frame longest threads",
             [](U32 tokens, U32 hashed, I64 offsets, U32 left, U32 right, U32 pair, U32 places, U32 before, U32 after, U32 numerals, U32 calendar,
                u32 frame, u32 longest, int threads) {
               return filled<u32>(places.size(), [&](auto out) {
                 slots({tokens, offsets}, {hashed, offsets}, left, right, {pair, places, before, after}, {numerals, calendar}, {frame, longest},
                       out, threads);
               });
             });
  def_kernel(m, "letters_apart", "address length other_address other_length threads",
             [](U64 address, I64 length, U64 other_address, I64 other_length, int threads) {
               return filled<std::uint8_t>(address.size(), [&](auto out) {
                 letters_apart({address, length}, {other_address, other_length}, out, threads);
               });
             });
  def_kernel(m, "text_hints", "address length words offsets line head foot threads",
             [](U64 address, I64 length, U8 words, I64 offsets, u32 line, u32 head, u32 foot, int threads) {
               std::vector<std::uint8_t> hints(length.size());
               std::vector<u32> characters(length.size());
               text_hints({address, length}, HintFinder(words, offsets, {line, head, foot}), hints, characters, threads);
               return parts(hints, characters);
             });
}

}  // namespace quchong
