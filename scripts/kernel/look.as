// Looks for lines that hold one of some literals, in AssemblyScript. compile.ts turns it into the module that edits
// over a batch load; a test holds the two together. The caller lays out the memory (line-finder.ts); nothing is
// allocated here, and 18 bytes behind each stretch may be read.
//
// `tables`: six vectors, two for each of the first three bytes of a literal: for the low and the high half of a byte, the
// groups of literals (one bit each) that have such a half there. Where all six agree on a group, its literals are
// compared in full.
// `literals`: of each its length (u32) and its bytes, ASCII in lower case, padded to a multiple of four.

/** Where the next literal stands in a stretch, in any case of its ASCII letters; its end where none does. */
export function look(at: usize, end: usize, tables: usize, literals: usize, count: u32): usize {
  const lo0 = v128.load(tables), hi0 = v128.load(tables, 16);
  const lo1 = v128.load(tables, 32), hi1 = v128.load(tables, 48);
  const lo2 = v128.load(tables, 64), hi2 = v128.load(tables, 80);
  const half = i8x16.splat(15);
  const nothing = i8x16.splat(0);
  for (; at < end; at += 16) {
    const a = v128.load(at), b = v128.load(at, 1), c = v128.load(at, 2);
    const first = v128.and(i8x16.swizzle(lo0, v128.and(a, half)), i8x16.swizzle(hi0, i8x16.shr_u(a, 4)));
    const second = v128.and(i8x16.swizzle(lo1, v128.and(b, half)), i8x16.swizzle(hi1, i8x16.shr_u(b, 4)));
    const third = v128.and(i8x16.swizzle(lo2, v128.and(c, half)), i8x16.swizzle(hi2, i8x16.shr_u(c, 4)));
    const groups = v128.and(v128.and(first, second), third);
    if (v128.any_true(groups)) {
      let lanes: u32 = i8x16.bitmask(i8x16.ne(groups, nothing));
      while (lanes) {
        const place = at + ctz(lanes);
        if (place < end && stands(place, end, literals, count)) return place;
        lanes &= lanes - 1;
      }
    }
  }
  return end;
}

@inline function lower(byte: u32): u32 {
  return byte - 65 < 26 ? byte | 32 : byte;
}

/** Whether one of the literals stands here. */
function stands(at: usize, end: usize, literals: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(literals);
    const bytes = literals + 4;
    if (at + length <= end) {
      let same: u32 = 0;
      while (same < length && lower(load<u8>(at + same)) == load<u8>(bytes + same)) same++;
      if (same == length) return true;
    }
    literals = bytes + ((length + 3) & ~3);
  }
  return false;
}

/** How many line feeds stand in a stretch. */
export function feeds(at: usize, end: usize): u32 {
  const feed = i8x16.splat(10);
  let sum: u32 = 0;
  for (; at + 16 <= end; at += 16) sum += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), feed)));
  for (; at < end; at++) sum += u32(load<u8>(at) == 10);
  return sum;
}

/** Where the next line feed stands in a stretch; its end where none does. */
export function nextFeed(at: usize, end: usize): usize {
  const feed = i8x16.splat(10);
  for (; at + 16 <= end; at += 16) {
    const lanes = i8x16.bitmask(i8x16.eq(v128.load(at), feed));
    if (lanes) return at + ctz(lanes);
  }
  for (; at < end; at++) if (load<u8>(at) == 10) return at;
  return end;
}
