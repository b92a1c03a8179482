/**
 * Heights of many rows, estimated until measured. A binary indexed tree: the position of a row, the row at an offset
 * and a new height cost O(log n) each. Measuring rows during scrolling therefore does not touch the hundreds of
 * thousands below.
 */
export interface Heights {
  readonly count: number
  readonly total: number
  heightOf(at: number): number
  /** Upper edge of a row; the total for `count`. */
  topOf(at: number): number
  /** The row at an offset, the nearest one outside; -1 without rows. */
  rowAt(offset: number): number
  /** Puts a measured height in place; returns by how much it differs. */
  set(at: number, height: number): number
}

export function createHeights(count: number, heightAt: (at: number) => number): Heights {
  const heights = new Float64Array(count)
  const tree = new Float64Array(count + 1)
  let total = 0
  for (let at = 0; at < count; at += 1) {
    const height = heightAt(at)
    heights[at] = height
    total += height
    const node = at + 1
    tree[node] = (tree[node] ?? 0) + height
    const above = node + (node & -node)
    if (above <= count) tree[above] = (tree[above] ?? 0) + (tree[node] ?? 0)
  }
  const highest = count === 0 ? 0 : 2 ** Math.floor(Math.log2(count))

  return {
    count,
    get total() {
      return total
    },
    heightOf: (at) => heights[at] ?? 0,
    topOf: (at) => {
      let sum = 0
      for (let node = Math.min(at, count); node > 0; node -= node & -node) sum += tree[node] ?? 0
      return sum
    },
    rowAt: (offset) => {
      let node = 0
      let rest = offset
      for (let step = highest; step > 0; step >>= 1) {
        const next = node + step
        const sum = tree[next] ?? Infinity
        if (next <= count && sum <= rest) {
          node = next
          rest -= sum
        }
      }
      return Math.min(node, count - 1)
    },
    set: (at, height) => {
      const delta = height - (heights[at] ?? 0)
      if (at < 0 || at >= count || Math.abs(delta) < 0.01) return 0
      heights[at] = height
      total += delta
      for (let node = at + 1; node <= count; node += node & -node)
        tree[node] = (tree[node] ?? 0) + delta
      return delta
    },
  }
}
