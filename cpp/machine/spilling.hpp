// Large blocks of memory beyond a bound lie in files that have no name, mapped: the system may write their pages out and drop
// them, so that they are no memory of the process. Whoever asks for a block gets it as ever; nothing else knows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace quchong {

// What a process that spills has done since it was told to.
struct Spilled {
  std::int64_t mapped = 0;   // bytes in files now
  std::int64_t most = 0;     // most bytes in files at once
  std::int64_t written = 0;  // bytes of all such blocks
  int error = 0;             // errno of the last file that could not be made; 0 where none failed
};

// Blocks of `least` bytes or more go to files in `folder` while the process holds more than `bound` bytes of its own. The most
// recent call counts; a negative bound ends it. Blocks that lie in files stay there until they are let go.
void spill(const std::string& folder, std::int64_t bound, std::int64_t least);
Spilled spilled();

// A block in a file, zeros; nullptr where none is due now. Where one is due and no file can be made, `failed` is set
// (`Spilled::error` says why): the bound holds, so nobody takes the block from memory instead.
void* spilled_block(std::size_t size, bool& failed);
// Bytes of a block, if it lies in a file; 0 of any other pointer.
std::size_t spilled_size(const void* block);
void drop_spilled(void* block);

// A block was taken, or let go, that does not lie in a file: large ones are counted, since pages that nobody touched yet are not
// known to the system.
void note_taken(const void* block, std::size_t size);
void note_dropped(void* block);

// Can this system do it, and is operator new of this module ours?
bool can_spill();

}  // namespace quchong
