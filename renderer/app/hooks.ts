import type { Answer } from './question.ts'
import type { Link } from './link.ts'

/** Moments in the life of the window and of its session that features take part in. */
export interface Hooks {
  /** The host is connected and has returned the operator's settings. */
  readonly onSettings: (settings: Answer<'settings.get'>) => void
  /** Lists beside the session are fetched. Resolves when they are there. */
  readonly onLists: () => Promise<void>
  /** A link is followed. `isStart`: the window begins with it, or is connected again. */
  readonly onLink: (link: Link, isStart: boolean) => void
  /** A link leads to another place in the session that is in view. */
  readonly onPlace: (link: Link) => void
  /** The session in view was replayed: for the first time, with other files, or with more events. */
  readonly onReplayed: () => void
  /** Another configuration is in force, or another one is compared with. */
  readonly onRun: () => void
  /** The operator leaves the open session. */
  readonly onLeave: () => void
}
