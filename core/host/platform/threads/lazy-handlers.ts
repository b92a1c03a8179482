import type { Handlers, HandlersOf } from '../../../wire/rpc.ts'
import { type SessionContract, sessionContract } from '../../../wire/threads.ts'

type Name = keyof SessionContract
type Part<N extends Name> = Pick<Handlers<SessionContract>, N>
/** Any handler: the contract validates its input and output. */
type AnyHandler = (input: unknown, context: unknown) => unknown

/**
 * [F133] Handlers of these methods, loaded on the first call. A thread that opens a file for a waiting user thus does
 * not load the code for drafts, coaching or exports first.
 */
export function lazyHandlers<N extends Name>(
  names: readonly N[],
  load: () => Promise<Part<N>>,
): Part<N> {
  let loaded: Promise<Readonly<Record<string, AnyHandler>>> | null = null
  const handler = async (name: N): Promise<AnyHandler> => {
    // The mapped type ties a name to its handler; one name of many loses it here only.
    loaded ??= load() as unknown as Promise<Readonly<Record<string, AnyHandler>>>
    const found = (await loaded)[name]
    if (found === undefined) throw new Error(`${name} was loaded without a handler`)
    return found
  }
  const entries = names.map((name) => {
    const call: AnyHandler = async (input, context) => (await handler(name))(input, context)
    const stream: AnyHandler = async function* (input, context) {
      yield* (await handler(name))(input, context) as AsyncIterable<unknown>
    }
    return [name, sessionContract[name].kind === 'call' ? call : stream]
  })
  return Object.fromEntries(entries) as Part<N>
}

/** The same of all methods of some groups, `coach.…` for example. */
export function lazyGroups<G extends string>(
  groups: readonly G[],
  load: () => Promise<HandlersOf<SessionContract, G>>,
): HandlersOf<SessionContract, G> {
  const names = Object.keys(sessionContract).filter((name) =>
    groups.some((group) => name.startsWith(`${group}.`)),
  )
  // Its names are those that begin so.
  return lazyHandlers(names as Name[], load as () => Promise<Part<Name>>) as HandlersOf<
    SessionContract,
    G
  >
}
