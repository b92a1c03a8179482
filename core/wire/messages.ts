/**
 * `BAD_INPUT`: the caller's fault. `BAD_OUTPUT`: the handler broke the contract. `REFUSED`: an expected failure with a
 * message for the operator. `FAILED`: a bug. `CLOSED`: the other side disconnected.
 */
export type RpcErrorCode =
  'BAD_INPUT' | 'BAD_OUTPUT' | 'NO_METHOD' | 'REFUSED' | 'FAILED' | 'CLOSED'

/** Place of a failure, and the operator's remedy. */
export interface Advice {
  readonly where: string
  readonly do: string
}

/** A failure as it crosses the wire. */
export interface WireFailure extends Partial<Advice> {
  readonly code: RpcErrorCode
  /** Description of the failure, without `where` and `do`. */
  readonly message: string
}

/** The error with which a failed call rejects, on both sides. Its `message` is all fields in one line. */
export class RpcError extends Error {
  readonly code: RpcErrorCode
  readonly what: string
  readonly where: string | undefined
  readonly do: string | undefined
  constructor(code: RpcErrorCode, what: string, advice?: Advice) {
    super(advice === undefined ? what : `${what}: ${advice.where}. ${advice.do}`)
    this.name = 'RpcError'
    this.code = code
    this.what = what
    this.where = advice?.where
    this.do = advice?.do
  }
}

/** An error of a handler as the wire carries it. */
export function failureToWire(error: unknown): WireFailure {
  if (!(error instanceof RpcError)) {
    return (
      refusalOfSystem(error) ?? {
        code: 'FAILED',
        message: error instanceof Error ? error.message : String(error),
      }
    )
  }
  const { code, what: message, where, do: todo } = error
  return where === undefined || todo === undefined
    ? { code, message }
    : { code, message, where, do: todo }
}

/** [I62] Refusals of the operating system are no bugs: a full disk, a name that is too long, a missing right. */
function refusalOfSystem(error: unknown): WireFailure | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null
  if (typeof error.code !== 'string' || !/^E[A-Z0-9]+$/u.test(error.code)) return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null
  return {
    code: 'REFUSED',
    message: `the system refuses it (${error.code}, ${String(error.syscall)})`,
    where: path === null || path === '' ? 'this machine' : path.slice(0, 400),
    do: 'Check the path, its rights and the space that is left',
  }
}

function failureFromWire({ code, message, where, do: todo }: WireFailure): RpcError {
  const advice = where === undefined || todo === undefined ? undefined : { where, do: todo }
  return new RpcError(code, message, advice)
}

type Cut = ReadonlyArray<readonly string[]>

/** `j` is `v` as JSON text. Slices of an answer's long lists precede it; `cut` gives their places. */
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
  | { readonly id: number; readonly t: 'err'; readonly e: WireFailure }

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

/** The messages of an answer that was checked; a packed one is written as JSON text here. */
export function messagesOf(
  id: number,
  t: 'ok' | 'next',
  value: unknown,
  packed: boolean,
): readonly Wire[] {
  if (!packed) return [{ id, t, v: value }]
  const { rest, cut, slices } = cutSlices(value)
  const before = slices.map(({ list, elements }): Wire => {
    return { id, t: 'slice', list, j: JSON.stringify(elements) }
  })
  const j = JSON.stringify(rest)
  return [...before, cut.length === 0 ? { id, t, j } : { id, t, j, cut }]
}

/** Callbacks of an open call. */
export interface Told {
  readonly next: (value: unknown) => void
  readonly end: (value: unknown) => void
  readonly fail: (error: RpcError) => void
}

const read = (v: unknown, j: string | undefined): unknown =>
  j === undefined ? v : (JSON.parse(j) as unknown)

/**
 * Reads the messages of one open call: slices, then the answer they belong to. Every slice is parsed on arrival, so
 * that no answer is parsed in one step.
 */
export function reader({ next, end, fail }: Told): (message: Wire) => void {
  let lists: unknown[][] = []
  const whole = ({ v, j, cut }: Extract<Wire, { readonly t: 'ok' | 'next' }>): unknown => {
    const value = cut ? joinSlices(read(v, j), cut, lists) : read(v, j)
    lists = []
    return value
  }
  return (message) => {
    if (message.t === 'slice') {
      const elements = read(message.v, message.j)
      if (Array.isArray(elements)) (lists[message.list] ??= []).push(...(elements as unknown[]))
    } else if (message.t === 'next') next(whole(message))
    else if (message.t === 'ok') end(whole(message))
    else if (message.t === 'err') fail(failureFromWire(message.e))
  }
}

/** A message as JSON. A packed answer is inserted without being parsed. */
export function writeMessage(message: unknown): string {
  if (!isWire(message) || !('j' in message)) return JSON.stringify(message)
  const { j, ...head } = message
  return `${JSON.stringify(head).slice(0, -1)},"v":${j}}`
}

/**
 * Elements of one slice. Each slice is read and written in a separate task. For numbers this takes about a millisecond,
 * so that rendering can run in between.
 */
const SLICE = 8192

/** A piece of a long list of an answer: the list by its place in `cut`, and its next elements. */
export interface Slice {
  readonly list: number
  readonly elements: readonly unknown[]
}

/** An answer without its long lists, their original places, and their elements in order. */
interface Sliced {
  readonly rest: unknown
  /** Names of the fields on the way to each list. */
  readonly cut: ReadonlyArray<readonly string[]>
  readonly slices: readonly Slice[]
}

/**
 * [I59] Takes lists of more than 8,192 elements out of plain data, to be sent one slice after another.
 * Lists inside of lists travel with the list that they are in.
 */
export function cutSlices(value: unknown): Sliced {
  const cut: string[][] = []
  const slices: Slice[] = []
  const walk = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (!Array.isArray(part))
      return Object.fromEntries(
        Object.entries(part).map(([name, inner]) => [name, walk(inner, [...path, name])]),
      )
    if (part.length <= SLICE || path.length === 0) return part
    const list = cut.push([...path]) - 1
    for (let at = 0; at < part.length; at += SLICE)
      slices.push({ list, elements: part.slice(at, at + SLICE) })
    return []
  }
  return { rest: walk(value, []), cut, slices }
}

/** Puts collected lists back where `cutSlices` took them out; `rest` is changed and is the answer. */
export function joinSlices(
  rest: unknown,
  cut: ReadonlyArray<readonly string[]>,
  lists: readonly unknown[],
): unknown {
  for (const [at, path] of cut.entries()) {
    const holder = path.slice(0, -1).reduce<unknown>(fieldOf, rest)
    const name = path.at(-1)
    if (typeof holder === 'object' && holder !== null && name !== undefined)
      Object.assign(holder, { [name]: lists[at] ?? [] })
  }
  return rest
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // The field exists; the type of its value is unknown here.
  return (value as Readonly<Record<string, unknown>>)[name]
}
