// Scan of quantised rows, in AssemblyScript. compile.ts turns it into the module that the store loads; a
// test holds the two together. The store lays out the memory (segment.ts); nothing is allocated here.
//
// A row: `d` signed codes (a multiple of 16), then f32 scale, f32 error: the unit vector of the row is
// scale * codes, off by at most `error` in length. A row whose scale is not a number is no row.
// A query: `d` signed 16-bit codes; its block of the state, with what it has found so far:
//   f32 scale, f32 error (rounding included), u32 count, u32 unused,
//   f32 lows[k]      the k best lower bounds so far, best first
//   u32 ids[cap], f32 uppers[cap]   rows that may be among the k best, with their upper bounds
// The cosine of row and query lies within bound = rowError * (1 + queryError) + queryError of the
// product of the codes, by the inequality of Cauchy and Schwarz. A row whose upper bound is below the
// k-th best lower bound is not among the k best.

@inline function sum(v: v128): i32 {
  const w = i32x4.add(v, i8x16.swizzle(v, i8x16(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)));
  return i32x4.extract_lane(w, 0) + i32x4.extract_lane(w, 1);
}

@inline function dot(low: v128, high: v128, query: usize): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(low, v128.load(query)),
    i32x4.dot_i16x8_s(high, v128.load(query, 16)),
  );
}

/** Notes a row that may be among the best. Returns 1 when the block's list is full afterwards. */
function keep(block: usize, lower: f32, upper: f32, id: u32, k: u32, cap: u32): u32 {
  const lows = block + 16;
  const last = lows + (<usize>(k - 1) << 2);
  if (lower > load<f32>(last)) {
    let at = last;
    while (at > lows && load<f32>(at - 4) < lower) {
      store<f32>(at, load<f32>(at - 4));
      at -= 4;
    }
    store<f32>(at, lower);
  }
  const count = load<u32>(block, 8);
  const ids = lows + (<usize>k << 2);
  store<u32>(ids + (<usize>count << 2), id);
  store<f32>(ids + (<usize>(cap + count) << 2), upper);
  store<u32>(block, count + 1, 8);
  return u32(count + 1 >= cap);
}

@inline function offer(block: usize, product: i32, scale: f32, error: f32, id: u32, k: u32, cap: u32): u32 {
  const near = <f32>product * (scale * load<f32>(block));
  const queryError = load<f32>(block, 4);
  const bound = error + error * queryError + queryError;
  const upper = near + bound;
  if (upper < load<f32>(block + 12 + (<usize>k << 2))) return 0;
  return keep(block, near - bound, upper, id, k, cap);
}

/**
 * Scans rows `from` to `to`; with `list` not 0, the rows whose numbers stand there at those places.
 * Stops after a row that filled a list, so that the host can empty it. Returns where to go on.
 */
export function scan(
  rows: usize, stride: u32, d: u32, list: usize, from: u32, to: u32,
  queries: usize, count: u32, state: usize, k: u32, cap: u32,
): u32 {
  const queryBytes = <usize>d << 1;
  const block = 16 + (<usize>k << 2) + (<usize>cap << 3);
  for (let i = from; i < to; i++) {
    const id = list == 0 ? i : load<u32>(list + (<usize>i << 2));
    const row = rows + <usize>id * <usize>stride;
    const end = row + <usize>d;
    const scale = load<f32>(end);
    if (scale != scale) continue;
    const error = load<f32>(end, 4);
    let full: u32 = 0;
    let q: u32 = 0;
    // Four queries share the loads of a row.
    for (; q + 4 <= count; q += 4) {
      let q0 = queries + <usize>q * queryBytes, q1 = q0 + queryBytes, q2 = q1 + queryBytes, q3 = q2 + queryBytes;
      let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
      for (let at = row; at < end; at += 16) {
        const codes = v128.load(at);
        const low = i16x8.extend_low_i8x16_s(codes), high = i16x8.extend_high_i8x16_s(codes);
        a0 = i32x4.add(a0, dot(low, high, q0)); q0 += 32;
        a1 = i32x4.add(a1, dot(low, high, q1)); q1 += 32;
        a2 = i32x4.add(a2, dot(low, high, q2)); q2 += 32;
        a3 = i32x4.add(a3, dot(low, high, q3)); q3 += 32;
      }
      const s = state + <usize>q * block;
      full |= offer(s, sum(a0), scale, error, id, k, cap);
      full |= offer(s + block, sum(a1), scale, error, id, k, cap);
      full |= offer(s + 2 * block, sum(a2), scale, error, id, k, cap);
      full |= offer(s + 3 * block, sum(a3), scale, error, id, k, cap);
    }
    for (; q < count; q++) {
      let q0 = queries + <usize>q * queryBytes;
      let a0 = i32x4.splat(0);
      for (let at = row; at < end; at += 16) {
        const codes = v128.load(at);
        a0 = i32x4.add(a0, dot(i16x8.extend_low_i8x16_s(codes), i16x8.extend_high_i8x16_s(codes), q0));
        q0 += 32;
      }
      full |= offer(state + <usize>q * block, sum(a0), scale, error, id, k, cap);
    }
    if (full) return i + 1;
  }
  return to;
}
