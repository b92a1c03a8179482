import scan from './scan-wasm.json' with { type: 'json' }

/** Rows of one memory: about 26 MB at 384 dimensions, a few milliseconds of scanning. */
export const SEGMENT_ROWS = 65_536
/** Queries that one pass looks at. */
export const PASS_QUERIES = 8
/** Larger answers are not pruned: every row is a candidate. */
export const MOST_PRUNED = 1024
/** Length of a query's list; the host empties it when it is full. */
const LIST = 512
const PAGE = 65_536
const BLOCK_HEAD = 16

/** A query as the kernel takes it: see quantise.ts. */
export interface QueryCodes {
  readonly codes: Int16Array
  readonly scale: number
  readonly error: number
}

/** Results of one query so far, over all segments. */
export interface Shortlist {
  /** The k best lower bounds, best first. */
  readonly lows: Float32Array
  readonly slots: number[]
  readonly uppers: number[]
}

/** An empty list for the `k` best. */
export function emptyShortlist(k: number): Shortlist {
  return { lows: new Float32Array(k).fill(-Infinity), slots: [], uppers: [] }
}

type Scan = (...args: readonly number[]) => number

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of WebAssembly that is used here. Node has all of it, but its types come with the DOM's. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: { readonly scan: Scan } }
}

// The module is ours: compile.ts made it, and it exports this one function.
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly

let compiled: object | null = null

function kernel(memory: Memory): Scan {
  compiled ??= new wasm.Module(Buffer.from(scan.base64.join(''), 'base64'))
  return new wasm.Instance(compiled, { env: { memory } }).exports.scan
}

/** Bytes of one row: codes to a multiple of 16, scale, error, the checksum of the floats, 4 bytes free. */
export function strideOf(dimensions: number): number {
  return paddedOf(dimensions) + 16
}

/** Codes of one row, with zeros at the end. */
export function paddedOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16
}

/** Offsets within a memory. Rows come last, because they grow. */
function layoutOf(padded: number) {
  const queries = 0
  const state = queries + PASS_QUERIES * padded * 2
  const list = state + PASS_QUERIES * (BLOCK_HEAD + MOST_PRUNED * 4 + LIST * 8)
  return { queries, state, list, rows: list + SEGMENT_ROWS * 4 }
}

/** Quantised rows in a separate WebAssembly memory, with the kernel over them. */
export class Segment {
  readonly #memory: Memory
  readonly #scan: Scan
  readonly #padded: number
  readonly #stride: number
  readonly #layout: ReturnType<typeof layoutOf>
  #rows = 0

  /** `rows`: how many are about to come. */
  constructor(dimensions: number, rows: number) {
    this.#padded = paddedOf(dimensions)
    this.#stride = strideOf(dimensions)
    this.#layout = layoutOf(this.#padded)
    const initial = Math.ceil((this.#layout.rows + rows * this.#stride) / PAGE)
    this.#memory = new wasm.Memory({ initial })
    this.#scan = kernel(this.#memory)
  }

  get rows(): number {
    return this.#rows
  }

  /** Makes room for `count` rows more and returns their bytes, for the caller to fill. */
  extend(count: number): Uint8Array {
    const start = this.#layout.rows + this.#rows * this.#stride
    const end = start + count * this.#stride
    const have = this.#memory.buffer.byteLength
    if (end > have) {
      // Growing by half again keeps many small appends from copying the whole each time.
      const most = this.#layout.rows + SEGMENT_ROWS * this.#stride
      const wanted = Math.max(end, Math.min(most, have + (have >> 1)))
      this.#memory.grow(Math.ceil((wanted - have) / PAGE))
    }
    this.#rows += count
    return new Uint8Array(this.#memory.buffer, start, count * this.#stride)
  }

  /** The checksum that the row carries, of its 32-bit floats. */
  checksum(row: number): number {
    const at = this.#layout.rows + row * this.#stride + this.#padded + 8
    return new DataView(this.#memory.buffer).getUint32(at, true)
  }

  /** The row is no answer any more. */
  drop(row: number): void {
    const at = this.#layout.rows + row * this.#stride + this.#padded
    new DataView(this.#memory.buffer).setFloat32(at, Number.NaN, true)
  }

  /**
   * Scans all rows, or those of `only`, for up to PASS_QUERIES queries. Slots in the lists begin at
   * `base`. Rows that are among the k best of a query are in its list afterwards, and some more.
   */
  scan(
    queries: readonly QueryCodes[],
    lists: readonly Shortlist[],
    base: number,
    only: Uint32Array | null,
  ): void {
    const { buffer } = this.#memory
    const { queries: at, list, rows } = this.#layout
    queries.forEach(({ codes }, index) =>
      new Int16Array(buffer, at + index * this.#padded * 2, this.#padded).set(codes),
    )
    if (only !== null) new Uint32Array(buffer, list, only.length).set(only)
    const k = lists[0]?.lows.length ?? 1
    const blocks = this.#blocks(lists, k)
    blocks.forEach((block, index) => {
      const query = queries[index]
      block.head.set([query?.scale ?? 0, query?.error ?? 0])
      block.lows.set(lists[index]?.lows ?? [])
    })
    const end = only === null ? this.#rows : only.length
    const fixed = [rows, this.#stride, this.#padded, only === null ? 0 : list]
    const rest = [at, queries.length, this.#layout.state, k, LIST]
    for (let from = 0; from < end;) {
      blocks.forEach((block) => block.counts.fill(0))
      from = this.#scan(...fixed, from, end, ...rest)
      blocks.forEach((block, index) => drain(block, lists[index], base))
    }
  }

  #blocks(lists: readonly Shortlist[], k: number) {
    const { buffer } = this.#memory
    return lists.map((_, index) => {
      const start = this.#layout.state + index * (BLOCK_HEAD + k * 4 + LIST * 8)
      const ids = start + BLOCK_HEAD + k * 4
      return {
        head: new Float32Array(buffer, start, 2),
        counts: new Uint32Array(buffer, start + 8, 1),
        lows: new Float32Array(buffer, start + BLOCK_HEAD, k),
        ids: new Uint32Array(buffer, ids, LIST),
        uppers: new Float32Array(buffer, ids + LIST * 4, LIST),
      }
    })
  }
}

interface Block {
  readonly counts: Uint32Array
  readonly lows: Float32Array
  readonly ids: Uint32Array
  readonly uppers: Float32Array
}

/** Moves the kernel's results into the list of the query. Drops those that no longer reach the k-th best. */
function drain(block: Block, list: Shortlist | undefined, base: number): void {
  if (list === undefined) return
  list.lows.set(block.lows)
  const least = list.lows.at(-1) ?? -Infinity
  const count = block.counts[0] ?? 0
  for (let index = 0; index < count; index += 1) {
    const upper = block.uppers[index] ?? 0
    if (upper < least) continue
    list.slots.push(base + (block.ids[index] ?? 0))
    list.uppers.push(upper)
  }
}
