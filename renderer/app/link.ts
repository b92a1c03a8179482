import type { Scope } from './find-state.ts'
import { DRAFT, compareValue } from './compared.ts'
import type { Show, ShownSource, State, Thing, TourAt, ViewState } from './store.ts'

/** The contents of a deep link. Null means not given. */
export interface Link {
  readonly source: ShownSource | null
  /** Session inside the file, 0-based. */
  readonly session: number
  /**
   * Id of the session, if its number is unknown. It takes precedence over the number. Null if the number identifies the
   * session.
   */
  readonly id: string | null
  /** 1-based, as shown. */
  readonly turn: number | null
  /** `seq` of an event that is not a turn. */
  readonly event: number | null
  readonly tab: string | null
  readonly preset: string | null
  readonly domains: string | null
  readonly profile: string | null
  readonly compare: string | null
  /** [U224] Of the files that decide, and of the selected event's text: the copied link says it, the address bar does not. */
  readonly of: LinkedContent | null
  readonly show: Show | null
  /** Query of the find box. */
  readonly find: string | null
  /** The list shows matches only. */
  readonly only: boolean
  /** Scope of the find box. */
  readonly scope: Scope
  /** Folder of the library that is in view. */
  readonly library: string | null
  /** [F141] Folder of results of a batch that is in view. */
  readonly results: string | null
  /** Tab of the dock that is open. */
  readonly dock: string | null
  /** Study shown in the Lab tab. */
  readonly study: string | null
  /** Stop of the tour that is being taken. */
  readonly tour: TourAt | null
  /** Part of a turn that presenter mode shows. */
  readonly present: Thing | null
}

/** Short hashes of contents: equal contents have equal hashes. Null = not known when the link was made. */
export interface LinkedContent {
  readonly config: string
  readonly event: string | null
}

export const emptyLink: Link = {
  source: null,
  session: 0,
  id: null,
  turn: null,
  event: null,
  tab: null,
  preset: null,
  domains: null,
  profile: null,
  compare: null,
  of: null,
  show: null,
  find: null,
  only: false,
  scope: 'session',
  library: null,
  results: null,
  dock: null,
  study: null,
  tour: null,
  present: null,
}

/** Configuration and comparison that decide turns, as a link writes them. */
export function runLink({
  run,
  compare,
  draftWanted,
}: Pick<ViewState, 'run' | 'compare' | 'draftWanted'>) {
  const value = compare && compareValue(compare, run)
  return { ...run, compare: draftWanted ? DRAFT : value }
}

/** The tour and presenter part of a link, as view state. */
export function stageOf({ tour, present }: Link): Pick<ViewState, 'tour' | 'present'> {
  return { tour, present: present && { thing: present, isPlaying: false, speed: 1 } }
}

/** One part of the link: its name in the URL, its reader and writer, and its value in the state. */
export interface LinkPart {
  readonly key: string
  readonly read: (text: string | null) => Partial<Link>
  /** Null = left out. */
  readonly write: (link: Link) => string | null
  readonly of: (state: State) => Partial<Link>
}

interface PartRow<K extends keyof Link> {
  readonly read: (text: string | null) => Link[K]
  readonly of: (state: State) => Link[K]
  readonly write?: (value: NonNullable<Link[K]>) => string
}

/** A part that is left out of the URL while it has its value of `emptyLink`. */
export function linkPart<K extends keyof Link>(key: string, field: K, row: PartRow<K>): LinkPart {
  const of = (value: Link[K]): Partial<Link> => ({ [field]: value })
  const { write = String } = row
  return {
    key,
    read: (text) => of(row.read(text)),
    write: (link) => {
      const value = link[field]
      return value === null || value === emptyLink[field] ? null : write(value)
    },
    of: (state) => of(row.of(state)),
  }
}

export function readOneOf<T extends string>(options: readonly T[], text: string | null): T | null {
  return options.find((option) => option === text) ?? null
}

export function readName(text: string | null, most = 200): string | null {
  return text === null || text === '' || text.length > most ? null : text
}
