import look from './look-wasm.json' with { type: 'json' }

type Call = (...args: readonly number[]) => number

/** Exports of the module. Addresses in its memory are as look.as defines them. */
interface Exports {
  readonly look: Call
  readonly feeds: Call
  readonly nextFeed: Call
}

/** The part of WebAssembly that is used here. Node has all of it, but its types come with the DOM's. */
interface Wasm {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: object } },
  ) => { readonly exports: Exports }
}

// The module is ours: compile.ts made it, and it exports these functions.
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly

const PAGE = 65_536
/** Bytes per read, small enough that they are still in the processor cache when they are scanned. */
const CHUNK = 4 * 1024 * 1024
/** A batch takes no longer line (F116). */
const LONGEST_LINE = 16 * 1024 * 1024
const LITERALS = 1024
const START = PAGE
const LINE_FEED = 10
/** Groups of literals that the module distinguishes by their first bytes. */
const GROUPS = 8
const TOLD_BYTES = 3
const VECTOR = 16

/** Fills `into` from `at` on, and answers how many bytes it put there; 0: there are no more. */
type ReadBytes = (into: Buffer, at: number) => Promise<number>

/** Bytes `from` to `to` of a file, of which the first one begins the line of this number. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly line: number
}

/** Finds the lines that hold one of the literals. */
interface LineFinder {
  /**
   * Visits the lines of a stretch that hold one, in their order; their bytes, without the line feed, are there until the
   * visit ends. Lines of more than 16 MB, of which a batch takes none (F134), are passed over. Answers the number of the
   * line behind the stretch.
   */
  readonly find: (
    read: ReadBytes,
    stretch: Stretch,
    visit: (line: number, bytes: Buffer) => void,
  ) => Promise<number>
}

/** [F132] @param literals in lower case within ASCII, of two bytes or more; null: every line is visited */
export function createLineFinder(literals: readonly string[] | null): LineFinder {
  const pages = 1 + Math.ceil((CHUNK + LONGEST_LINE) / PAGE) + 1
  const memory = new wasm.Memory({ initial: pages })
  const module = new wasm.Module(Buffer.from(look.base64.join(''), 'base64'))
  const { exports } = new wasm.Instance(module, { env: { memory } })
  const bytes = Buffer.from(memory.buffer)
  const searched = literals?.map((literal) => Buffer.from(literal)) ?? []
  putLiterals(bytes, searched)
  const next = (at: number, end: number) =>
    literals === null ? at : exports.look(at, end, 0, LITERALS, literals.length)

  /** Visits the lines between two addresses, and answers the number of the one behind them. */
  function visitLines(
    end: number,
    first: number,
    visit: (line: number, bytes: Buffer) => void,
  ): number {
    let line = first
    let counted = START
    for (let place = next(START, end); place < end;) {
      const begin = Math.max(START, bytes.lastIndexOf(LINE_FEED, place - 1) + 1)
      const feed = exports.nextFeed(place, end)
      line += exports.feeds(counted, begin)
      counted = begin
      visit(line, bytes.subarray(begin, feed))
      place = feed + 1 < end ? next(feed + 1, end) : end
    }
    return line + exports.feeds(counted, end)
  }

  return {
    find: async (read, { from, to, line: first }, visit) => {
      let line = first
      let at = from
      let begun = 0
      let isLong = false
      for (;;) {
        const room = bytes.subarray(START + begun, START + begun + Math.min(CHUNK, to - at))
        const count = room.length === 0 ? 0 : await read(room, at)
        at += count
        let all = START + begun + count
        if (isLong) {
          const rest = Math.min(all, exports.nextFeed(START, all) + 1)
          isLong = bytes[rest - 1] !== LINE_FEED || rest === START
          if (!isLong) line += 1
          bytes.copyWithin(START, rest, all)
          all -= rest - START
        }
        // Bytes after the last line feed form a line if the file ends there.
        const end = count === 0 ? all : Math.max(START, bytes.lastIndexOf(LINE_FEED, all - 1) + 1)
        line = visitLines(end, line, visit)
        if (count === 0) return line
        bytes.copyWithin(START, end, all)
        begun = all - end
        if (begun <= LONGEST_LINE) continue
        isLong = true
        begun = 0
      }
    },
  }
}

/** Lays the literals out as look.as reads them. */
function putLiterals(memory: Buffer, literals: readonly Buffer[]): void {
  let at = LITERALS
  for (const [group, own] of groupsOf(literals).entries())
    for (const literal of own) {
      memory.writeUInt32LE(literal.length, at)
      literal.copy(memory, at + 4)
      at += 4 + Math.ceil(literal.length / 4) * 4
      for (let place = 0; place < TOLD_BYTES; place += 1)
        for (const byte of bytesAt(literal, place)) {
          const low = place * 2 * VECTOR + (byte & 15)
          const high = place * 2 * VECTOR + VECTOR + (byte >> 4)
          memory[low] = (memory[low] ?? 0) | (1 << group)
          memory[high] = (memory[high] ?? 0) | (1 << group)
        }
    }
}

const ESCAPE = 0x5c
const WIDE = 0x80

/**
 * Groups of literals with similar beginnings. A group accepts any combination of the first, second and third bytes of
 * its literals. Escapes, and characters above U+007F, of which two bytes are known, form separate groups.
 */
function groupsOf(literals: readonly Buffer[]): ReadonlyArray<readonly Buffer[]> {
  const first = (literal: Buffer) => literal[0] ?? 0
  const words = literals
    .filter((literal) => first(literal) !== ESCAPE && first(literal) < WIDE)
    .toSorted((a, b) => Buffer.compare(a, b))
  const each = Math.ceil(words.length / (GROUPS - 2))
  return [
    literals.filter((literal) => first(literal) === ESCAPE),
    literals.filter((literal) => first(literal) >= WIDE),
    ...Array.from({ length: GROUPS - 2 }, (_, at) => words.slice(at * each, (at + 1) * each)),
  ]
}

const ANY_BYTE = Array.from({ length: 256 }, (_, byte) => byte)
const LETTER_A = 0x61
const LETTER_Z = 0x7a
const CASE = 0x20

/** Bytes with which a literal may go on at this place: any behind its end. */
function bytesAt(literal: Buffer, place: number): readonly number[] {
  const byte = literal[place]
  if (byte === undefined) return ANY_BYTE
  return byte >= LETTER_A && byte <= LETTER_Z ? [byte, byte - CASE] : [byte]
}
