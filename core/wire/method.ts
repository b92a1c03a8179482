import type { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'

/**
 * Who answers a call. `main`: the main process itself, with a handler of its own. The others are
 * threads, to which the main process passes the call on unread: `session` the one that holds the
 * opened file `key`, `workspace` any of those, `lab` the one that holds the corpus `corpus`, `probe`
 * the probe's, which is also told the settings of now.
 */
export type Place = 'main' | 'workspace' | 'session' | 'lab' | 'probe'

/** One method of the wire. A `call` answers once; a `stream` answers any number of times, then ends. */
export interface Method {
  readonly kind: 'call' | 'stream'
  readonly at: Place
  readonly in: z.ZodType
  readonly out: z.ZodType
  /** Answers are large: they travel as JSON text, which whoever only passes them on need not read. */
  readonly packed?: boolean
}
export type Contract = Readonly<Record<string, Method>>

interface Row<Kind, At, In, Out> {
  readonly kind: Kind
  readonly at: At
  readonly in: In
  readonly out: Out
  readonly packed: boolean
}
type Options = Pick<Method, 'packed'>

/** A row of a contract: who answers, what is asked, what is answered. */
export function call<At extends Place, In extends z.ZodType, Out extends z.ZodType>(
  ...[at, input, out, { packed = false } = {}]: [At, In, Out, Options?]
): Row<'call', At, In, Out> {
  return { kind: 'call', at, in: input, out, packed }
}

/** The same for a stream: `out` is one of its answers. */
export function stream<At extends Place, In extends z.ZodType, Out extends z.ZodType>(
  ...[at, input, out, { packed = false } = {}]: [At, In, Out, Options?]
): Row<'stream', At, In, Out> {
  return { kind: 'stream', at, in: input, out, packed }
}

/** The part of a contract that is answered at these places. */
export type RowsAt<C extends Contract, At extends Place> = {
  readonly [K in keyof C as C[K]['at'] extends At ? K : never]: C[K]
}

export function rowsAt<C extends Contract, At extends Place>(
  contract: C,
  ...places: readonly At[]
): RowsAt<C, At> {
  const rows = Object.entries(contract).filter(([, { at }]) => places.some((each) => each === at))
  // The same test as the type's, row by row.
  return Object.fromEntries(rows) as RowsAt<C, At>
}

type NamesOf<C extends Contract, Kind extends Method['kind']> = {
  [K in keyof C]: C[K]['kind'] extends Kind ? K : never
}[keyof C] &
  string
export type CallName<C extends Contract> = NamesOf<C, 'call'>
export type StreamName<C extends Contract> = NamesOf<C, 'stream'>
export type Input<C extends Contract, K extends keyof C> = z.input<C[K]['in']>
export type Output<C extends Contract, K extends keyof C> = Immutable<z.output<C[K]['out']>>

export interface CallContext {
  /** Aborted when the caller cancels or its port closes. */
  readonly signal: AbortSignal
}

/** What a handler is given, and what it answers: before defaults are filled in and after. */
export type Asked<C extends Contract, K extends keyof C> = z.output<C[K]['in']>
export type Answer<C extends Contract, K extends keyof C> = Immutable<z.input<C[K]['out']>>

/** The server's side of a contract: one function a method; a missing one does not compile. */
export type Handlers<C extends Contract> = {
  readonly [K in CallName<C>]: (
    input: Asked<C, K>,
    context: CallContext,
  ) => Promise<Answer<C, K>> | Answer<C, K>
} & {
  readonly [K in StreamName<C>]: (
    input: Asked<C, K>,
    context: CallContext,
  ) => AsyncIterable<Answer<C, K>>
}

/** Handlers of the methods `<prefix>.*`: one file of handlers covers one or more of these groups. */
export type HandlersOf<C extends Contract, Prefix extends string> = Pick<
  Handlers<C>,
  Extract<keyof Handlers<C>, `${Prefix}.${string}`>
>
