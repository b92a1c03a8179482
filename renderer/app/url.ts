import { z } from 'zod'
import { DOCK_PANELS, FEATURES, TABS } from './features.ts'
import {
  emptyLink,
  type Link,
  type LinkedContent,
  linkPart,
  type LinkPart,
  readName,
  readOneOf,
  runLink,
} from './link.ts'
import { contentOf } from './linked-content.ts'
import { selectedTurn } from './selectors.ts'
import { initialState, type ShownSource, SHOWS, type State } from './store.ts'

/** [U186] A file that is read with a mapping of the workspace says so before all else. */
const SOURCE = /^(?:map=([^:/]{1,200}):)?(sample|path|upload|scratch|result):(.+)$/su

function readSource(text: string | null): ShownSource | null {
  const match = SOURCE.exec(text ?? '')
  const [, map, kind, value] = match ?? []
  if (!value || value.length > 4096) return null
  if (kind === 'sample') return { kind: 'sample', id: value }
  if (kind === 'scratch') return SCRATCH.test(value) ? { kind: 'scratch', id: value } : null
  if (kind === 'result') return readResult(value)
  const mapped = map === undefined ? {} : { map }
  if (kind === 'path') return { kind: 'path', path: value, ...mapped }
  const [, upload = null, name = value] = UPLOAD.exec(value) ?? []
  return { kind: 'upload', name, upload, ...mapped }
}

/** [F142] A session of a table: folder of results, source, session. */
function readResult(text: string): ShownSource | null {
  const named = z.tuple([z.string(), z.string(), z.string()]).safeParse(jsonOrNull(text))
  if (!named.success) return null
  const [results, file, session] = named.data
  return { kind: 'result', results, file, session }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function readContent(text: string | null): LinkedContent | null {
  const [, config, event = null] =
    /^([0-9a-z]{1,16})(?:\.([0-9a-z]{1,16}))?$/u.exec(text ?? '') ?? []
  return config === undefined ? null : { config, event }
}

/** [U161] The id under which the host keeps a session that is written by hand. */
const SCRATCH = /^[\w-]{12}$/u

/** [I96] The id under which the host keeps the bytes, then the name; older links have the name alone. */
const UPLOAD = /^([\w-]{16})\/(.+)$/su

function writeSource(source: ShownSource): string {
  if (source.kind === 'sample') return `sample:${source.id}`
  if (source.kind === 'scratch') return `scratch:${source.id}`
  if (source.kind === 'result')
    return `result:${JSON.stringify([source.results, source.file, source.session])}`
  const map = source.map === undefined ? '' : `map=${source.map}:`
  if (source.kind === 'path') return `${map}path:${source.path}`
  return `${map}upload:${source.upload === null ? '' : `${source.upload}/`}${source.name}`
}

function readCount(text: string | null, least: number): number | null {
  if (text === null || !/^\d{1,9}$/u.test(text)) return null
  const value = Number(text)
  return value < least ? null : value
}

/** A value that needs no saying in a link when it is the one that the window starts with. */
const unless = <T>(usual: T, value: T): T | null => (value === usual ? null : value)
const { view: first } = initialState
const tabs = TABS.map(({ id }) => id)
const docks = DOCK_PANELS.map(({ id }) => id)

/** All parts of a link; features add their own. */
const PARTS: readonly LinkPart[] = [
  linkPart('s', 'source', {
    read: readSource,
    write: writeSource,
    of: ({ document }) => document.source,
  }),
  linkPart('n', 'session', {
    read: (text) => readCount(text, 0) ?? 0,
    of: ({ session }) => session.index,
  }),
  // [L108] The window itself knows the number.
  linkPart('id', 'id', { read: (text) => readName(text, 4096), of: () => null }),
  linkPart('turn', 'turn', { read: (text) => readCount(text, 1), of: turnNumber }),
  linkPart('event', 'event', {
    read: (text) => readCount(text, 0),
    of: (state) => (turnNumber(state) === null ? state.view.selected : null),
  }),
  linkPart('tab', 'tab', {
    read: (text) => readOneOf(tabs, text),
    of: ({ view }) => unless(first.tab, view.tab),
  }),
  linkPart('preset', 'preset', { read: readName, of: ({ view }) => view.run.preset }),
  linkPart('domains', 'domains', {
    read: readName,
    // [U224] Always said: a reader's window may have used another file before.
    of: ({ view }) => view.run.domains,
  }),
  linkPart('profile', 'profile', { read: readName, of: ({ view }) => view.run.profile }),
  linkPart('compare', 'compare', {
    read: readName,
    of: ({ view }) => runLink(view).compare,
  }),
  linkPart('of', 'of', {
    read: readContent,
    write: ({ config, event }) => (event === null ? config : `${config}.${event}`),
    // A history entry records no contents.
    of: () => null,
  }),
  linkPart('show', 'show', {
    read: (text) => readOneOf(SHOWS, text),
    of: ({ view }) => unless(first.show, view.show),
  }),
  linkPart('dock', 'dock', {
    read: (text) => readOneOf(docks, text),
    of: ({ view }) => view.dock,
  }),
  ...FEATURES.flatMap(({ link }) => link ?? []),
]

function turnNumber(state: State): number | null {
  const turn = selectedTurn(state)
  return turn === null ? null : turn + 1
}

function linkFrom(part: (one: LinkPart) => Partial<Link>): Link {
  return PARTS.reduce((link, one) => ({ ...link, ...part(one) }), emptyLink)
}

/** Reads a URL fragment, with or without `#`. Skips unknown or malformed parts without an error. */
export function readLink(fragment: string): Link {
  const query = new URLSearchParams(fragment.replace(/^#/u, ''))
  return linkFrom(({ key, read }) => read(query.get(key)))
}

/** The fragment (without `#`) that `readLink` reads back; parts not said are left out. */
export function writeLink(link: Link): string {
  const query = new URLSearchParams()
  for (const { key, write } of PARTS) {
    const text = write(link)
    if (text !== null) query.set(key, text)
  }
  // Unescapes characters that the URL standard allows in a fragment, for readability.
  return query.toString().replaceAll('%3A', ':').replaceAll('%2F', '/')
}

/** [U224] The link that is copied: with the contents that it was made of. */
export function linkToCopy(state: State): Link {
  return { ...linkOf(state), of: contentOf(state) }
}

/** The link to the current view. */
export function linkOf(state: State): Link {
  const link = linkFrom(({ of }) => of(state))
  return link.source ? link : { ...emptyLink, library: link.library, results: link.results }
}
