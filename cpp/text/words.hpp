// Numbers of words. A word's token is a hash of its letters, and two words may have one hash. Within one call each different word gets a
// number of its own, so that equal tokens mean equal letters; across calls words are compared by names, wide hashes of their letters.
#pragma once
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "hash.hpp"
#include "machine/parallel.hpp"
#include "machine/prefetch.hpp"
#include "text/text.hpp"

namespace quchong {

inline constexpr u64 NAME_SEED_HIGH = 0x6E616D65, NAME_SEED_LOW = 0x776F7264;

// A token's name depends on its letters alone, however few bits hashes have: a character is its own name, a word's has its token of 30
// bits with its mark below and 32 bits of another hash above. Fixed for ever, like the hashes of hash.hpp.
inline u64 word_name(u32 mark, std::span<const u32> letters) {
  return (sequence_hash(letters, NAME_SEED_HIGH) & ~u64{0xFFFFFFFF}) | mark | Normaliser<false>::word_hash(letters);
}

// Calls put(k, letters) for every token k that is a word, in order. Letters lie in the stream; a space ends each word.
template <class Put>
void each_word(const Scratch& s, Put&& put) {
  const u32 *tokens = s.tokens.data(), *stream = s.stream.data();
  const u32* end = s.word_end.data();
  const std::size_t n = s.tokens.size();
  std::size_t at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (is_single(tokens[k])) {
      ++at;
      continue;
    }
    put(k, std::span<const u32>(stream + at, *end - at));
    at = *end++ + 1;
  }
}

// Drawn when the module is loaded: tables of words take it in, so that nobody can write words that crowd them. No answer depends on it.
inline const u64 TABLE_SEED = [] {
  std::random_device device;
  return (u64{device()} << 32 | device()) | 1;
}();

// The names of the tokens of a text, behind what is there.
inline void append_names(const Scratch& s, std::vector<u64>& names) {
  const std::size_t base = names.size();
  names.insert(names.end(), s.tokens.begin(), s.tokens.end());
  each_word(s, [&](std::size_t k, std::span<const u32> letters) { names[base + k] = word_name(s.tokens[k] & NUMBER_TOKEN, letters); });
}

struct Word {
  const u32* letters;
  u32 length;
  u32 token;  // its hash with its mark
  u64 place;  // where it occurs first: the text above, its token in it below
  std::span<const u32> span() const { return {letters, length}; }
};

// Letters of words, at places that stay.
class LetterStore {
 public:
  const u32* keep(std::span<const u32> letters) {
    if (letters.size() > room_) {
      room_ = std::max<std::size_t>(BLOCK, letters.size());
      blocks_.push_back(std::make_unique_for_overwrite<u32[]>(room_));
      next_ = blocks_.back().get();
    }
    u32* at = next_;
    std::copy(letters.begin(), letters.end(), at);
    next_ += letters.size();
    room_ -= letters.size();
    return at;
  }
  void clear() {
    blocks_.clear();
    room_ = 0;
  }

 private:
  static constexpr std::size_t BLOCK = 1 << 14;
  std::vector<std::unique_ptr<u32[]>> blocks_;
  u32* next_ = nullptr;
  std::size_t room_ = 0;
};

// The letters of a word as two numbers, where it has at most 16, all below U+0100; else nothing. Equal ones mean equal letters.
struct PackedLetters {
  u64 low = 0, high = 0;  // of 8 bytes each, in the order of the letters
  bool any() const { return low; }
  bool operator==(const PackedLetters&) const = default;

  // `letters` lie where WORD_ROOM of them may be read.
  static PackedLetters of(const u32* letters, std::size_t length) {
    if (length > WORD_ROOM) return {};
    PackedLetters out;
#if defined(__SSE2__)
    // Four letters a vector, those behind the word masked out; what is left has no bits above the lowest eight, or the word is not packed.
    __m128i four[4], any = _mm_setzero_si128();
    const __m128i size = _mm_set1_epi32(static_cast<int>(length));
    for (int k = 0; k < 4; ++k) {
      const __m128i inside = _mm_cmpgt_epi32(size, _mm_setr_epi32(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3));
      four[k] = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(letters + 4 * k)), inside);
      any = _mm_or_si128(any, four[k]);
    }
    if (_mm_movemask_epi8(_mm_cmpeq_epi32(_mm_srli_epi32(any, 8), _mm_setzero_si128())) != 0xFFFF) return {};
    const __m128i bytes = _mm_packus_epi16(_mm_packs_epi32(four[0], four[1]), _mm_packs_epi32(four[2], four[3]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&out), bytes);
#else
    std::uint8_t bytes[WORD_ROOM];
    u32 wide = 0;
    for (std::size_t k = 0; k < WORD_ROOM; ++k) {
      const u32 c = k < length ? letters[k] : 0;
      wide |= c;
      bytes[k] = static_cast<std::uint8_t>(c);
    }
    if (wide >= 0x100) return {};
    std::memcpy(&out.low, bytes, 8);
    std::memcpy(&out.high, bytes + 8, 8);
#endif
    return out;
  }
  static PackedLetters of(std::span<const u32> letters) {
    u32 few[WORD_ROOM] = {};
    if (letters.size() > WORD_ROOM) return {};
    std::copy(letters.begin(), letters.end(), few);
    return of(few, letters.size());
  }
};

// Different words, each once, by token and letters. The first word of a hash, whatever its mark, is found by one look at an open table,
// which has the letters of short words itself; words that share its hash lie in a second table by a wide hash of their letters, so that
// many of one hash cost no more than others.
class WordIndex {
 public:
  struct Found {
    u32 id;
    bool second;  // another word came first under its hash
  };
  static constexpr u32 NONE = 0xFFFFFFFF;

  // The word, which is taken in where it is new. `store` keeps its letters then; without one they are held elsewhere.
  Found add(u32 token, std::span<const u32> letters, u64 place, LetterStore* store) {
    return add(token, letters, PackedLetters::of(letters), place, store);
  }
  Found add(u32 token, std::span<const u32> letters, const PackedLetters& packed, u64 place, LetterStore* store) {
    if (2 * (firsts_ + 1) > slots_.size()) grow();
    std::size_t i = slot(token);
    while (slots_[i].id && (slots_[i].token ^ token) & TOKEN_HASH) i = (i + 1) & (slots_.size() - 1);
    if (!slots_[i].id) {
      slots_[i] = {token, make(token, letters, place, store) + 1, packed};
      ++firsts_;
      return {slots_[i].id - 1, false};
    }
    const u32 first = slots_[i].id - 1;
    if (slots_[i].token == token && slots_[i].letters == packed && (packed.any() || same(first, token, letters))) return {first, false};
    return {second(token, letters, place, store), true};
  }
  // Asks for what `add` looks at first.
  void expect(u32 token) const {
    if (!slots_.empty()) fetch(slots_.data() + slot(token));
  }
  // The id of a word, NONE where it is not known.
  u32 find(u32 token, std::span<const u32> letters) const {
    const u32 first = first_of(token);
    if (first == NONE || same(first, token, letters)) return first;
    const auto [from, to] = seconds_.equal_range(wide(token, letters));
    for (auto at = from; at != to; ++at)
      if (same(at->second, token, letters)) return at->second;
    return NONE;
  }
  // The first word of a token's hash, NONE where no word has it.
  u32 first_of(u32 token) const {
    if (slots_.empty()) return NONE;
    std::size_t i = slot(token);
    while (slots_[i].id && (slots_[i].token ^ token) & TOKEN_HASH) i = (i + 1) & (slots_.size() - 1);
    return slots_[i].id ? slots_[i].id - 1 : NONE;
  }
  void clear() {
    words_.clear();
    slots_.clear();
    seconds_.clear();
    firsts_ = 0;
  }
  std::vector<Word>& words() { return words_; }
  const std::vector<Word>& words() const { return words_; }
  bool has_seconds() const { return !seconds_.empty(); }
  // Ids of the words that are not the first of their hash.
  template <class Put>
  void each_second(Put&& put) const {
    for (const auto& [key, id] : seconds_) put(id);
  }

 private:
  struct Slot {
    u32 token = 0, id = 0;  // id + 1, 0 in an empty slot
    PackedLetters letters;
  };
  std::size_t slot(u32 token) const { return static_cast<std::size_t>((token & TOKEN_HASH) * TABLE_SEED >> shift_); }
  static u64 wide(u32 token, std::span<const u32> letters) { return sequence_hash(letters, token ^ TABLE_SEED); }
  bool same(u32 id, u32 token, std::span<const u32> letters) const {
    const Word& w = words_[id];
    return w.token == token && w.length == letters.size() && std::equal(letters.begin(), letters.end(), w.letters);
  }
  u32 make(u32 token, std::span<const u32> letters, u64 place, LetterStore* store) {
    words_.push_back({store ? store->keep(letters) : letters.data(), static_cast<u32>(letters.size()), token, place});
    return static_cast<u32>(words_.size() - 1);
  }
  u32 second(u32 token, std::span<const u32> letters, u64 place, LetterStore* store) {
    const u64 key = wide(token, letters);
    const auto [from, to] = seconds_.equal_range(key);
    for (auto at = from; at != to; ++at)
      if (same(at->second, token, letters)) return at->second;
    const u32 id = make(token, letters, place, store);
    seconds_.emplace(key, id);
    return id;
  }
  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    shift_ = 64 - std::bit_width(slots_.size() - 1);
    for (const Slot& s : old) {
      if (!s.id) continue;
      std::size_t i = slot(s.token);
      while (slots_[i].id) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = s;
    }
  }

  std::vector<Word> words_;
  std::vector<Slot> slots_;
  int shift_ = 63;
  std::size_t firsts_ = 0;
  std::unordered_multimap<u64, u32> seconds_;
};

// The words of one thread, and where words stand in its chunks that are not the first of their hash.
struct ThreadWords {
  struct Occurrence {
    std::size_t chunk, at;  // a token of a chunk
    u32 word;
  };
  WordIndex index;
  LetterStore store;
  std::vector<Occurrence> seconds;
  std::unordered_map<u32, u32> moved;  // numbers of words, by id, where they are not their tokens
};

// Takes the words of a text in: text d, whose tokens go to chunk c from place `base` on.
inline void take_words(const Scratch& s, ThreadWords& words, std::size_t d, std::size_t c, std::size_t base) {
  constexpr std::size_t AHEAD = 16;
  const std::size_t n = s.tokens.size();
  for (std::size_t k = 0; k < std::min(n, AHEAD); ++k) words.index.expect(s.tokens[k]);
  std::size_t taken = 0;  // of the words whose letters were packed as they were found
  each_word(s, [&](std::size_t k, std::span<const u32> letters) {
    if (k + AHEAD < n) words.index.expect(s.tokens[k + AHEAD]);
    PackedLetters packed;
    if (taken < s.unhashed.size() && s.unhashed[taken] == k) std::memcpy(&packed, s.letters.data() + 4 * taken++, sizeof packed);
    else packed = PackedLetters::of(letters.data(), letters.size());
    const auto [id, second] = words.index.add(s.tokens[k], letters, packed, u64{d} << 32 | k, &words.store);
    if (second) words.seconds.push_back({c, base + k, id});
  });
}

// Numbers words of a few texts that are read one by one, in the order they come in. Only whether two numbers are equal means anything.
class WordOrder {
 public:
  void clear() {
    index_.clear();
    store_.clear();
  }
  void number(Scratch& s) {
    u32* tokens = s.tokens.raw();
    each_word(s, [&](std::size_t k, std::span<const u32> letters) {
      tokens[k] = WORD_TOKEN | index_.add(tokens[k], letters, 0, &store_).id;
    });
  }

 private:
  WordIndex index_;
  LetterStore store_;
};

struct NumberedWords {
  std::vector<u32> numbers, tokens;  // of words whose number is not their token, by number ascending
};

// Gives each different word of all threads a number. The first word of a hash, in order of the texts, keeps its token as its number; every
// other word gets, below its mark, the least value that is no word's hash nor number, in order of the texts too. So numbers differ even
// without their marks. Which thread saw what is no matter.
class WordNumbers {
 public:
  WordNumbers(std::vector<ThreadWords>& threads, int workers) : threads_(threads), parts_(static_cast<std::size_t>(std::max(workers, 1))) {
    const auto busy = std::count_if(threads.begin(), threads.end(), [](const ThreadWords& t) { return !t.index.words().empty(); });
    std::vector<Word> others = busy > 1 ? merged(workers) : within();
    std::sort(others.begin(), others.end(), [](const Word& a, const Word& b) { return a.place < b.place; });
    u32 next = 0;
    for (const Word& w : others) {
      while (next <= TOKEN_HASH && taken(next)) ++next;
      if (next > TOKEN_HASH) throw std::length_error("too many different words in one call");
      const u32 number = (w.token & NUMBER_TOKEN) | next++;
      out_.push_back({number, w.token});
      for (auto& t : threads_)
        if (const u32 id = t.index.find(w.token, w.span()); id != WordIndex::NONE) t.moved[id] = number;
    }
  }

  // Puts numbers for the tokens of a thread's chunks; chunk(c) is the vector of one of them.
  template <class Chunk>
  void apply(std::span<const int> owner, Chunk&& chunk) const {
    if (out_.empty()) return;
    for (std::size_t c = 0; c < owner.size(); ++c) {
      if (owner[c] < 0) continue;
      const auto& t = threads_[static_cast<std::size_t>(owner[c])];
      std::unordered_map<u32, u32> firsts;  // of the first words of their hashes in this thread, those that moved
      for (const auto& [id, number] : t.moved)
        if (t.index.first_of(t.index.words()[id].token) == id) firsts[t.index.words()[id].token] = number;
      if (firsts.empty()) continue;
      for (u32& token : chunk(c))
        if (const auto at = is_single(token) ? firsts.end() : firsts.find(token); at != firsts.end()) token = at->second;
    }
    for (const auto& t : threads_)
      for (const auto& o : t.seconds) {
        const auto moved = t.moved.find(o.word);
        chunk(o.chunk)[o.at] = moved == t.moved.end() ? t.index.words()[o.word].token : moved->second;
      }
  }

  NumberedWords moved() const {
    auto sorted = out_;
    std::sort(sorted.begin(), sorted.end());
    NumberedWords out;
    for (const auto& [number, token] : sorted) {
      out.numbers.push_back(number);
      out.tokens.push_back(token);
    }
    return out;
  }

  // Every different word with its number: put(word, number), each once, in no order that means anything.
  template <class Put>
  void each(Put&& put) const {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const auto& words = threads_[t].index.words();
      for (u32 id = 0; id < words.size(); ++id) {
        bool earlier = false;  // seen by a thread before
        for (std::size_t u = 0; u < t && !earlier; ++u) earlier = threads_[u].index.find(words[id].token, words[id].span()) != WordIndex::NONE;
        const auto moved = threads_[t].moved.find(id);
        if (!earlier) put(words[id], moved == threads_[t].moved.end() ? words[id].token : moved->second);
      }
    }
  }

 private:
  std::size_t part_of(u32 token) const { return ((token & TOKEN_HASH) * 0x85EBCA6Bu >> 12) % parts_.size(); }
  bool taken(u32 number) const {
    if (merged_) return parts_[part_of(number)].first_of(number) != WordIndex::NONE;
    for (const auto& t : threads_)
      if (t.index.first_of(number) != WordIndex::NONE) return true;
    return false;
  }

  // One thread saw all texts: what came second under a hash is known.
  std::vector<Word> within() const {
    std::vector<Word> out;
    for (const auto& t : threads_) t.index.each_second([&](u32 id) { out.push_back(t.index.words()[id]); });
    return out;
  }

  // The words of all threads put together, in parts by hash; all words of a hash that has several, but for the first in the texts.
  std::vector<Word> merged(int workers) {
    merged_ = true;
    std::vector<std::vector<Word>> found(parts_.size());
    parallel_for(static_cast<std::int64_t>(parts_.size()), 1, workers, [&](int, std::int64_t from, std::int64_t to) {
      for (auto p = static_cast<std::size_t>(from); p < static_cast<std::size_t>(to); ++p) {
        WordIndex& all = parts_[p];
        for (const auto& t : threads_)
          for (const Word& w : t.index.words())
            if (part_of(w.token) == p) {
              const auto [id, second] = all.add(w.token, w.span(), w.place, nullptr);
              all.words()[id].place = std::min(all.words()[id].place, w.place);
            }
        // Of each hash that has several words the one that occurs first keeps it.
        std::unordered_map<u32, u32> first;
        all.each_second([&](u32 id) {
          const u32 token = all.words()[id].token;
          u32& best = first.try_emplace(token & TOKEN_HASH, all.first_of(token)).first->second;
          if (all.words()[id].place < all.words()[best].place) best = id;
        });
        all.each_second([&](u32 id) {
          if (first[all.words()[id].token & TOKEN_HASH] != id) found[p].push_back(all.words()[id]);
        });
        for (const auto& [hash, best] : first)
          if (const u32 id = all.first_of(hash); id != best) found[p].push_back(all.words()[id]);
      }
    });
    std::vector<Word> out;
    for (const auto& f : found) out.insert(out.end(), f.begin(), f.end());
    return out;
  }

  std::vector<ThreadWords>& threads_;
  std::vector<WordIndex> parts_;
  std::vector<std::pair<u32, u32>> out_;  // number and token of the words that moved
  bool merged_ = false;
};

}  // namespace quchong
