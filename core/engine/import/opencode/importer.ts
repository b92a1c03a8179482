import type { Head } from '../head.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import type { Companion, CompanionTag, Importer, RawRecord, Reader, SeenFiles } from '../source.ts'
import { createSession, sessionFor, type OpenSession } from './sessions.ts'
import { isExport, isMessage, isPart, isSession, isWhole } from './shapes.ts'

const LIST = 'messages'

function isOpenCode(value: unknown): boolean {
  if (isList(value)) return value.slice(0, 5).some((item) => isWhole(item) || isExport(item))
  return [isExport, isWhole, isSession, isMessage, isPart].some((is) => is(value))
}

interface Reading {
  readonly log: ImportLog
  readonly named: (id: string) => string
  readonly sessions: OpenSession[]
  /** Messages in files that are read next. */
  readonly expected: Set<string>
  /** Call that started a session, by the session's id. */
  readonly calls: Map<string, string>
}

function read(log: ImportLog): Reader {
  const reading: Reading = {
    log,
    named: createNames(),
    sessions: [],
    expected: new Set(),
    calls: new Map(),
  }
  return {
    take: (record) =>
      takeEnvelope(record, [LIST], {
        header: (value) => takeSession(own(value, 'info'), reading),
        item: (item) => takeItem(item, reading),
      }),
    drafts: () => reading.sessions.map(({ draft }) => draft),
    tidy() {
      const silent = reading.sessions.reduce((sum, session) => sum + session.silent(), 0)
      log.recount(new Map(silent === 0 ? [] : [['message without content', silent]]))
      for (const session of reading.sessions) {
        session.tidy()
        if (session.draft.parent === null) continue
        session.draft.startedBy ??= reading.calls.get(session.draft.id)
      }
    },
    claims: (companion) => isOurs(companion, reading),
  }
}

function takeSession(info: unknown, reading: Reading): OpenSession {
  const id = textAt(info, 'id') ?? `session-${reading.sessions.length + 1}`
  const draft = sessionFor(info, reading.named(id))
  const session = createSession(draft, reading.log, reading.calls)
  session.takeFacts(info)
  reading.sessions.push(session)
  reading.log.skip('session')
  return session
}

/** The session that a message or part names; one that names none belongs to the last. */
function sessionOf(id: string | null, reading: Reading): OpenSession {
  const named = id === null ? undefined : reading.sessions.find(({ draft }) => draft.id === id)
  if (named !== undefined) return named
  const last = reading.sessions.at(-1)
  return last !== undefined && id === null ? last : openFor(id, reading)
}

function openFor(id: string | null, reading: Reading): OpenSession {
  const made = reading.named(id ?? `session-${reading.sessions.length + 1}`)
  const session = createSession(sessionFor(null, made), reading.log, reading.calls)
  reading.sessions.push(session)
  return session
}

function takeItem(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const info = own(value, 'info')
  if (isWhole(value) || (isMessage(info) && isObject(value))) {
    const session = sessionOf(textAt(info, 'sessionID'), reading)
    const isNew = session.takeMessage(info, record)
    const id = textAt(info, 'id') ?? ''
    for (const part of listAt(value, 'parts')) {
      if (!isNew && session.hasPart(textAt(part, 'id'))) reading.log.skip('part written again')
      else if (isObject(part)) session.takePart(part, id, record)
      else reading.log.unusable({ value: part, ref }, 'a part must be an object')
    }
  } else if (isMessage(value)) {
    sessionOf(textAt(value, 'sessionID'), reading).takeMessage(value, record)
  } else if (isPart(value)) takePart(record, reading)
  else if (isSession(value)) takeSession(value, reading)
  else reading.log.unusable({ value, ref }, 'neither a session, a message nor a part')
}

/** [I125] A part names its message, or is in a folder named after the message. */
function takePart(record: RawRecord, reading: Reading): void {
  const { value, folder = 'message-1' } = record
  const message = textAt(value, 'messageID') ?? folder
  const holder = reading.sessions.find((session) => session.has(message))
  const session = holder ?? sessionOf(textAt(value, 'sessionID'), reading)
  session.takePart(value, message, record)
}

/** A message belongs to the session that it names, a part to that of its message. */
function isOurs({ path, session, agent }: Companion, { sessions, expected }: Reading): boolean {
  const isNamed = session !== null && sessions.some(({ draft }) => draft.id === session)
  const message = agent ?? folderOf(path)
  if (isNamed && agent !== null) expected.add(agent)
  if (isNamed || message === null) return isNamed
  return session === null && (expected.has(message) || sessions.some(({ has }) => has(message)))
}

/** The ids in a file: its session, and its own message or the message that it belongs to. */
function tag({ values: [value] }: Head): CompanionTag {
  const own = isMessage(value) ? textAt(value, 'id') : null
  return { session: textAt(value, 'sessionID'), agent: own ?? textAt(value, 'messageID') }
}

const JSON_FILE = /^(.+)\.json$/
const MESSAGES = '../../message'
const PARTS = '../../part'

/** The name of a file's parent folder. */
function folderOf(path: string): string | null {
  return /([^/\\]+)[/\\][^/\\]+$/.exec(path)?.[1] ?? null
}

/**
 * [I125] The store has `session/<project>/<session>.json`, `message/<session>/<message>.json` and
 * `part/<message>/<part>.json` (older: all parts in one folder). Searches the messages first, then the part folders
 * named after them. If these hold no part, searches all part folders.
 */
function companionFolders(
  name: string,
  { files, round }: SeenFiles = { files: [], round: 0 },
): readonly string[] {
  const session = JSON_FILE.exec(name)?.[1]
  if (session === undefined) return []
  const ids = new Set([session, session.replace(/^ses_/, '')])
  const folders = [...ids].map((id) => `${MESSAGES}/${id}`)
  const messages = files.filter((path) => path.startsWith(`${MESSAGES}/`))
  if (messages.length === 0) return folders
  const parts = [PARTS, ...messages.map((path) => `${PARTS}/${stemOf(path)}`)]
  const isMissed = round > 1 && messages.length === files.length
  return [...folders, ...parts, ...(isMissed ? [`${PARTS}/*`] : [])]
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
}

/** Messages come first, because the meaning of a part depends on its message. */
function companions(name: string, neighbours: readonly string[]): readonly string[] {
  if (!JSON_FILE.test(name)) return []
  const inFolder = (folder: string): readonly string[] =>
    neighbours.filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.json'))
  return [...inFolder(MESSAGES), ...inFolder(PARTS)]
}

/** OpenCode: exports, and the files of its store, which are one session. */
export const opencode: Importer = {
  name: 'opencode',
  label: 'OpenCode session (JSON)',
  detect: (head) => head.values.some(isOpenCode),
  split: () => ({ by: 'records', lists: [LIST], header: true }),
  read,
  companions,
  companionFolders,
  tag,
  manyCompanions: true,
}
