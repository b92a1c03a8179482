import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'

/**
 * The thread that answers a call. `main`: the main process, with its own handler. The others are threads to which the
 * main process forwards the call without parsing it. `session` holds the opened file `key`. `workspace` is any of those
 * threads. `lab` holds the corpus `corpus`. `probe` also receives the current settings. `results` queries results of
 * batches.
 */
export type Place = 'main' | 'workspace' | 'session' | 'lab' | 'probe' | 'results'

/** One method of the wire. A `call` answers once; a `stream` answers any number of times, then ends. */
export interface Method {
  readonly kind: 'call' | 'stream'
  readonly at: Place
  readonly in: z.ZodType
  readonly out: z.ZodType
  /** Answers are large and travel as JSON text, which a forwarding thread need not parse. */
  readonly packed?: boolean
}
export type Contract = Readonly<Record<string, Method>>

/** A schema, or only the fields of an object. */
type Given = z.ZodType | Readonly<Record<string, z.ZodType>>
type SchemaOf<T extends Given> = T extends z.ZodType
  ? T
  : T extends Readonly<Record<string, z.ZodType>>
    ? z.ZodObject<T>
    : never

interface Row<Kind, At, In extends Given, Out extends Given> {
  readonly kind: Kind
  readonly at: At
  readonly in: SchemaOf<In>
  readonly out: SchemaOf<Out>
  readonly packed: boolean
}
type RowMaker<Kind> = <At extends Place, In extends Given, Out extends Given>(
  at: At,
  input: In,
  output: Out,
  options?: Pick<Method, 'packed'>,
) => Row<Kind, At, In, Out>

const rowOf =
  <Kind extends Method['kind']>(kind: Kind): RowMaker<Kind> =>
  (at, input, output, { packed = false } = {}) => ({
    kind,
    at,
    packed,
    in: schemaOf(input),
    out: schemaOf(output),
  })

function schemaOf<T extends Given>(given: T): SchemaOf<T> {
  // The same test as the type's.
  return (given instanceof z.ZodType ? given : z.object(given)) as SchemaOf<T>
}

/** A row of a contract: the answering thread, the input, and the output. */
export const call = rowOf('call')

/** The same for a stream: the output is one of its answers. */
export const stream = rowOf('stream')

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

/** A handler's input after defaults are filled in, and its output before. */
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
