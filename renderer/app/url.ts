import type { Scope } from '../features/find/find-state.ts'
import {
  type Dock,
  type Show,
  type ShownSource,
  type Study,
  type Tab,
  DOCKS,
  SHOWS,
  STUDIES,
  TABS,
} from './store.ts'

/** What a deep link says. Null = not said. */
export interface Link {
  readonly source: ShownSource | null
  /** Session inside the file, 0-based. */
  readonly session: number
  /** 1-based, as shown. */
  readonly turn: number | null
  /** `seq` of an event that is not a turn. */
  readonly event: number | null
  readonly tab: Tab | null
  readonly preset: string | null
  readonly domains: string | null
  readonly profile: string | null
  readonly compare: string | null
  readonly show: Show | null
  /** Query of the find box. */
  readonly find: string | null
  /** The list shows matches only. */
  readonly only: boolean
  /** Where the find box looks. */
  readonly scope: Scope
  /** Folder of the library that is in view. */
  readonly library: string | null
  /** Tab of the dock that is open. */
  readonly dock: Dock | null
  /** What the tab Lab shows. */
  readonly study: Study | null
}

export const emptyLink: Link = {
  source: null,
  session: 0,
  turn: null,
  event: null,
  tab: null,
  preset: null,
  domains: null,
  profile: null,
  compare: null,
  show: null,
  find: null,
  only: false,
  scope: 'session',
  library: null,
  dock: null,
  study: null,
}

const SOURCE = /^(sample|path|upload):(.+)$/su

function readSource(text: string | null): ShownSource | null {
  const match = SOURCE.exec(text ?? '')
  const value = match?.[2]
  if (!match || !value || value.length > 4096) return null
  if (match[1] === 'sample') return { kind: 'sample', id: value }
  if (match[1] === 'path') return { kind: 'path', path: value }
  return { kind: 'upload', name: value, upload: null }
}

function writeSource(source: ShownSource): string {
  if (source.kind === 'sample') return `sample:${source.id}`
  if (source.kind === 'path') return `path:${source.path}`
  return `upload:${source.name}`
}

function readCount(text: string | null, least: number): number | null {
  if (text === null || !/^\d{1,9}$/u.test(text)) return null
  const value = Number(text)
  return value < least ? null : value
}

function oneOf<T extends string>(options: readonly T[], text: string | null): T | null {
  return options.find((option) => option === text) ?? null
}

function name(text: string | null, most = 200): string | null {
  return text === null || text === '' || text.length > most ? null : text
}

/** Reads a URL fragment, with or without `#`. What is unknown or malformed is left out, never an error. */
export function readLink(fragment: string): Link {
  const query = new URLSearchParams(fragment.replace(/^#/u, ''))
  return {
    source: readSource(query.get('s')),
    session: readCount(query.get('n'), 0) ?? 0,
    turn: readCount(query.get('turn'), 1),
    event: readCount(query.get('event'), 0),
    tab: oneOf(TABS, query.get('tab')),
    preset: name(query.get('preset')),
    domains: name(query.get('domains')),
    profile: name(query.get('profile')),
    compare: name(query.get('compare')),
    show: oneOf(SHOWS, query.get('show')),
    find: name(query.get('find'), 2000),
    only: query.get('only') === '1',
    scope: query.get('in') === 'folder' ? 'folder' : 'session',
    library: name(query.get('lib'), 4096),
    dock: oneOf(DOCKS, query.get('dock')),
    study: oneOf(STUDIES, query.get('study')),
  }
}

/** The fragment (without `#`) that `readLink` reads back; parts not said are left out. */
export function writeLink(link: Link): string {
  const query = new URLSearchParams()
  const put = (key: string, value: string | number | null) => {
    if (value !== null) query.set(key, String(value))
  }
  put('s', link.source && writeSource(link.source))
  put('n', link.session === 0 ? null : link.session)
  put('turn', link.turn)
  put('event', link.event)
  put('tab', link.tab)
  put('preset', link.preset)
  put('domains', link.domains)
  put('profile', link.profile)
  put('compare', link.compare)
  put('show', link.show)
  put('find', link.find)
  put('only', link.find !== null && link.only ? 1 : null)
  put('in', link.find !== null && link.scope === 'folder' ? 'folder' : null)
  put('lib', link.library)
  put('dock', link.dock)
  put('study', link.study)
  // Readable where the URL standard allows it in a fragment.
  return query.toString().replaceAll('%3A', ':').replaceAll('%2F', '/')
}
