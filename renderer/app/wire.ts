import { valueOf } from './async-data.ts'
import { type WireCompared, wireCompared } from './compared.ts'
import { remember } from '../ui/remember.ts'
import { type RunChoice, type SessionState, type State, type ViewState, store } from './store.ts'

/** A choice as the wire wants it. `classify` stays as the preset says. */
export function wireConfig(run: RunChoice) {
  return { ...run, classify: null }
}

/** The configurations of the replay and of its comparison, in wire form. */
export function wireConfigs({ run, compare }: Pick<ViewState, 'run' | 'compare'>) {
  return { config: wireConfig(run), compare: compare && wireCompared(compare) }
}

/** The same for what compares configurations alone: files of the library. */
export function wireRuns({ run, compare }: Pick<ViewState, 'run' | 'compare'>) {
  return { config: wireConfig(run), compare: compare ? configOf(wireCompared(compare)) : null }
}

/** Null if the side is no configuration of files: a draft, a revision, a recorded run. */
function configOf(compared: WireCompared | null) {
  return compared === null || 'kind' in compared ? null : compared
}

/** Address of the session in view, for a call; null if no session is open. */
export function sessionAddress({ document, session }: State = store.getState()) {
  const opened = valueOf(document.opened)
  return opened && { key: opened.key, session: session.index }
}

/** Configuration that decides the session in view, and the keys that answers about it depend on. */
export type InForce = Readonly<ReturnType<typeof inForceOf>>

/** Null when no session is in view. */
export function inForce({ document, session, view }: State = store.getState()): InForce | null {
  const key = valueOf(document.opened)?.key
  if (key === undefined) return null
  const { index, replay } = session
  return inForceOf(`${document.generation}`, addressOf(key, index), replay, view.run)
}

const addressOf = remember((key: string, session: number) => ({ key, session }))

/** Key that answers about a session depend on: its generation, and the contents of the files that decide. */
export function forceOf(generation: number | string, key: string): string {
  return `${generation} ${key}`
}

/** Memoized, so that the object stays the same until one of its fields changes. */
const inForceOf = remember(
  (
    generation: string,
    address: ReturnType<typeof addressOf>,
    replay: SessionState['replay'],
    run: RunChoice,
  ) => {
    const replayed = valueOf(replay)
    return {
      address,
      /** Of the replay on screen; before the first one, as chosen. */
      config: replayed?.columns.config ?? wireConfig(run),
      /** The other side, if it is a configuration. */
      compare: configOf(replayed?.other?.wire ?? null),
      other: replayed?.other?.wire ?? null,
      /**
       * Changes with the contents of the files that were compiled, and of the transcript: names alone do
       * not say that a file was saved.
       */
      of: forceOf(generation, replayed?.key ?? ''),
      ofCompare: `${generation} ${replayed?.compareKey ?? ''}`,
      /**
       * An answer may be kept when the same replay is on screen before and after it: during the next
       * replay the host reads files that are others already.
       */
      isLasting: () => replay.status === 'ready' && store.getState().session.replay === replay,
    }
  },
)
