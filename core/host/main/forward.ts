import { z } from 'zod'
import { type Forward, RpcError } from '../../wire/rpc.ts'
import { Key } from '../../wire/shapes.ts'
import type { Link } from './worker-pool.ts'

type Passing = Pick<Link<never>, 'pass'>

interface Targets {
  readonly workspace: () => Passing
  /** The thread that holds an opened file; refused where this window opened no such file. */
  readonly session: (key: string) => Passing
  /** The same for a corpus. */
  readonly lab: (corpus: string) => Passing
  readonly probe: () => Passing
  readonly settings: () => Promise<object>
}

/** Passes calls on to the thread that their row names; the thread parses what is in them. */
export function forwardTo({ workspace, session, lab, probe, settings }: Targets): Forward {
  const to = {
    workspace: (name, payload) => workspace().pass(name, payload),
    session: (name, payload) => session(named('key', payload)).pass(name, payload),
    lab: (name, payload) => lab(named('corpus', payload)).pass(name, payload),
    // [D48] Settings come with every question: the probe's thread keeps none.
    probe: async (name, payload) =>
      probe().pass(name, { ...Object(payload), settings: await settings() }),
  } satisfies Record<string, (name: string, payload: unknown) => ReturnType<Forward>>
  return ({ name, at, payload }) => to[at](name, payload)
}

/** The file or corpus that a call is about, which nobody has parsed yet. */
function named(field: 'key' | 'corpus', payload: unknown): string {
  const value =
    typeof payload === 'object' && payload !== null
      ? (payload as Readonly<Record<string, unknown>>)[field]
      : undefined
  const key = Key.safeParse(value)
  if (key.success) return key.data
  throw new RpcError('BAD_INPUT', `the call names no ${field}: ${z.prettifyError(key.error)}`)
}
