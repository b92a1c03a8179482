import type { OpenSource } from '../../wire/contract.ts'
import type { ProbeBlocks } from '../../wire/internal/session.ts'
import type { MainHandlersOf } from '../threads/main/handlers.ts'
import type { OpenSessions } from '../sessions/main/open-sessions.ts'
import { resultsAt } from '../results/main/results-at.ts'
import type { ProbePart } from '../probe/main/probe-handlers.ts'
import type { Recent, StateStore } from '../settings/main/state-store.ts'

type Steps = ReturnType<OpenSessions['open']>

interface Told {
  readonly remember: (entry: Omit<Recent, 'openedAt'>) => Promise<void>
  readonly onOpened: ((path: string) => void) | undefined
}

/** The steps of opening; [F167] a file of the machine joins the recent ones once it has opened. */
async function* remembered(steps: Steps, source: OpenSource, { remember, onOpened }: Told): Steps {
  let opened: { path: string; name: string; format: string } | null = null
  for await (const value of steps) {
    if (value.kind === 'opened' && source.kind === 'path' && value.path !== null) {
      opened = { path: value.path, name: value.name, format: value.formatLabel }
      onOpened?.(value.path)
    }
    // Listed immediately, and with its number of turns when that is known.
    const counts = value.kind === 'opened' || (value.kind === 'grown' && value.complete)
    if (opened !== null && counts) await remember({ ...opened, turns: value.turns })
    yield value
  }
}

interface Around {
  readonly state: StateStore
  readonly clock: () => number
  /** Told of each file of the machine that opened. */
  readonly onOpened: ((path: string) => void) | undefined
  /** Results of the probe for a prompt. */
  readonly blocksOf: ProbePart['blocks']
  /** The personas that the probe puts in force. */
  readonly personasOf: ProbePart['personas']
  /** The same under both sides of a comparison. */
  readonly comparedPersonasOf: ProbePart['comparedPersonas']
  readonly probeCausesOf: ProbePart['causes']
}

const NO_BLOCKS: ProbeBlocks = { message: null, previous: null, compare: null }

/** [F76] Probing is slow, so it runs only for a query that may need it. */
const ASKS_PERSONA = /(?:^|[\s-])persona:/u
const ASKS_FLIPS_OF_PERSONA = /(?:^|[\s-])flip:\S*persona/u

/** Opening and closing files, and prompts, to which the probe adds; threads answer all the rest. */
export function createSessionHandlers(
  sessions: OpenSessions,
  { state, clock, onOpened, blocksOf, personasOf, comparedPersonasOf, probeCausesOf }: Around,
): MainHandlersOf<'session'> {
  return {
    'session.open': async function* ({ source }, { signal }) {
      const remember = (entry: Omit<Recent, 'openedAt'>) =>
        state.remember({ ...entry, openedAt: clock() })
      const path = source.kind === 'path' ? sessions.whole(source.path) : null
      const results = path === null ? null : await resultsAt(path, remember)
      if (results === null)
        yield* remembered(sessions.open(source, signal), source, { remember, onOpened })
      else yield { kind: 'results', path: results }
    },
    'session.close': async ({ key }) => {
      await sessions.close(key)
      return {}
    },
    'session.find': async (input, context) => {
      const { query, compare } = input
      const personas = ASKS_PERSONA.test(query) ? await personasOf(input, context) : null
      const flipPersonas =
        compare !== null && ASKS_FLIPS_OF_PERSONA.test(query)
          ? await comparedPersonasOf({ ...input, compare }, context)
          : null
      const asked = { ...input, personas, flipPersonas }
      return sessions.get(input.key).link.forward('session.find', asked)
    },
    'session.compare': async ({ probe, ...input }, context) => {
      const asked = probe ? comparedPersonasOf(input, context) : Promise.resolve(null)
      // A failure of the probe does not prevent the comparison. The probe's own tab reports it.
      const personas = await asked.catch(() => null)
      context.signal.throwIfAborted()
      return sessions.get(input.key).link.forward('session.compare', { ...input, personas })
    },
    'session.causes': async function* ({ probe, ...input }, context) {
      const { link } = sessions.get(input.key)
      for await (const step of link.stream('session.causes', input, context.signal)) {
        const isProbed =
          step.kind === 'causes' && step.others.some(({ group }) => group === 'probe')
        if (step.kind === 'progress' || !probe || !isProbed) yield step
        else {
          const probed = yield* orFailed(probeCausesOf(input, context), context.signal)
          const others = step.others.map((each) =>
            each.group === 'probe' ? { ...each, ...probed } : each,
          )
          yield { ...step, others }
        }
      }
    },
    'session.prompt': async ({ probe, ...input }, context) => {
      const blocks = probe ? await blocksOf(input, context) : NO_BLOCKS
      return sessions.get(input.key).link.forward('session.prompt', { ...input, blocks })
    },
  }
}

/** A failure of the probe does not prevent the other results. The probe's own tab reports it. */
async function* orFailed<T, R>(
  work: AsyncGenerator<T, R>,
  signal: AbortSignal,
): AsyncGenerator<T, R | { readonly why: 'probe_failed' }> {
  try {
    return yield* work
  } catch (error) {
    if (signal.aborted) throw error
    return { why: 'probe_failed' }
  }
}
