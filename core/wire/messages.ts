import { cutSlices, joinSlices } from './slices.ts'

/**
 * `BAD_INPUT`: the caller's fault. `BAD_OUTPUT`: the handler broke the contract. `REFUSED`: an expected
 * failure, its message is for a person. `FAILED`: a bug. `CLOSED`: the other side went away.
 */
export type RpcErrorCode =
  'BAD_INPUT' | 'BAD_OUTPUT' | 'NO_METHOD' | 'REFUSED' | 'FAILED' | 'CLOSED'

/** The slices of a packed answer, each a JSON text. */
type PackedSlices = ReadonlyArray<{ readonly list: number; readonly json: string }>
type Cut = ReadonlyArray<readonly string[]>

/** An answer as the JSON texts that it was checked and written as (`Method.packed`). */
export class Packed {
  readonly json: string
  readonly slices: PackedSlices
  readonly cut: Cut
  constructor(json: string, slices: PackedSlices, cut: Cut) {
    this.json = json
    this.slices = slices
    this.cut = cut
  }
}

/** `j` is `v` as JSON text. Slices of the long lists of an answer come before it; `cut` says where they belong. */
export type Wire =
  | { readonly id: number; readonly t: 'open'; readonly m: string; readonly p: unknown }
  | { readonly id: number; readonly t: 'cancel' }
  | {
      readonly id: number
      readonly t: 'ok' | 'next'
      readonly v?: unknown
      readonly j?: string
      readonly cut?: Cut
    }
  | {
      readonly id: number
      readonly t: 'slice'
      readonly list: number
      readonly v?: unknown
      readonly j?: string
    }
  | {
      readonly id: number
      readonly t: 'err'
      readonly e: { readonly code: RpcErrorCode; readonly message: string }
    }

export function isWire(message: unknown): message is Wire {
  return (
    typeof message === 'object' &&
    message !== null &&
    'id' in message &&
    typeof message.id === 'number' &&
    't' in message &&
    typeof message.t === 'string'
  )
}

/** The messages that a packed answer is sent as. */
export function wireOf(id: number, t: 'ok' | 'next', packed: Packed): readonly Wire[] {
  const { json: j, slices, cut } = packed
  const before = slices.map(({ list, json }): Wire => ({ id, t: 'slice', list, j: json }))
  return [...before, cut.length === 0 ? { id, t, j } : { id, t, j, cut }]
}

/** Tells a call that waits what a message says. */
export function tell({ assembly, next, end, fail }: Pending, message: Wire): void {
  if (message.t === 'slice') assembly.slice(message)
  else if (message.t === 'next') next(assembly.answer(message))
  else if (message.t === 'ok') end(assembly.answer(message))
  else if (message.t === 'err') fail(message.e.code, message.e.message)
}

/** A call that waits for answers. */
export interface Pending {
  readonly assembly: Assembly
  readonly next: (value: unknown) => void
  readonly end: (value: unknown) => void
  readonly fail: (code: RpcErrorCode, message: string) => void
}

/** Writes an answer that was checked. */
export function pack(value: unknown): Packed {
  const { rest, cut, slices } = cutSlices(value)
  const written = slices.map(({ list, elements }) => ({ list, json: JSON.stringify(elements) }))
  return new Packed(JSON.stringify(rest), written, cut)
}

type Answer = Extract<Wire, { readonly t: 'ok' | 'next' }>
type SliceMessage = Extract<Wire, { readonly t: 'slice' }>

/** Puts together what comes for one open call: slices, then the answer that they belong to. */
export interface Assembly {
  readonly slice: (message: SliceMessage) => void
  readonly answer: (message: Answer) => unknown
}

const read = (v: unknown, j: string | undefined): unknown =>
  j === undefined ? v : (JSON.parse(j) as unknown)

/** Reads every slice when it comes, so that no answer is read in one go. */
export function readingAssembly(): Assembly {
  let lists: unknown[][] = []
  return {
    slice: ({ list, v, j }) => {
      const elements = read(v, j)
      if (Array.isArray(elements)) (lists[list] ??= []).push(...(elements as unknown[]))
    },
    answer: ({ v, j, cut }) => {
      const whole = cut ? joinSlices(read(v, j), cut, lists) : read(v, j)
      lists = []
      return whole
    },
  }
}

/** Keeps packed answers as text. */
export function passingAssembly(): Assembly {
  let slices: Array<PackedSlices[number]> = []
  return {
    slice: ({ list, j }) => {
      if (j !== undefined) slices.push({ list, json: j })
    },
    answer: ({ v, j, cut }) => {
      const packed = j === undefined ? v : new Packed(j, slices, cut ?? [])
      slices = []
      return packed
    },
  }
}

/** A message as JSON; a packed answer becomes part of it without being read. */
export function writeMessage(message: unknown): string {
  if (!isWire(message) || !('j' in message)) return JSON.stringify(message)
  const { j, ...head } = message
  return `${JSON.stringify(head).slice(0, -1)},"v":${j}}`
}
