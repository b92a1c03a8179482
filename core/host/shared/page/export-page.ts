import { basename } from 'node:path'
import { droppedFacts } from '../../../engine/redact/dropped.ts'
import { type RedactOptions, redactText } from '../../../engine/redact/redact.ts'
import { sessionLines } from '../../../engine/redact/session-lines.ts'
import { type Result, counted, err, ok } from '../../../engine/result.ts'
import type { ReplayColumns } from '../../../engine/schema/replay.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { OpenTranscript } from '../../files/live.ts'
import type { ConfigFiles } from '../../files/config-files.ts'
import { type PageFiles, PAGE_WORKSPACE, configFiles, shippedFiles } from './page-files.ts'
import { pageHtml } from './page-html.ts'
import { readPageParts } from './parts.ts'
import { stillHtml } from './still.ts'

/** What goes into one page. */
export interface PageRequest {
  readonly transcript: OpenTranscript['transcript']
  /** Sessions of the file by index; null = all. */
  readonly chosen: readonly number[] | null
  /** Turns of the first session to keep, 1-based and inclusive; null = all. */
  readonly turns: readonly [from: number, to: number] | null
  readonly config: ConfigFiles
  /** Preset of the other side of the comparison. */
  readonly compare: string | null
  readonly redaction: RedactOptions | null
  /** Lines of the labels file of these sessions, as they are. */
  readonly labels: string | null
  readonly name: string
  readonly version: string
  /** The folder that ships with Turnscope. */
  readonly shipped: string
  readonly replay: (session: Session) => Promise<ReplayColumns>
}

export interface ExportedPage {
  readonly html: string
  readonly bytes: number
  /** What this page is, and what was left out. */
  readonly about: readonly string[]
}

/** Units of text that one page may hold: it is one text in the browser, twice. */
const MOST = 200_000_000

/** [R11] A session with the program that replays it, as one HTML file. */
export async function exportPage(request: PageRequest): Promise<Result<ExportedPage>> {
  const parts = await readPageParts(request.shipped)
  if (!parts.ok) return parts
  const kept = await keptSessions(request)
  if (!kept.ok) return kept
  const { sessions, columns, left } = kept.value
  const [first] = sessions
  if (first === undefined) return err(nothing(request.name))
  const { redaction, config, labels, version, shipped, name } = request
  const redact = (text: string) => (redaction === null ? text : redactText(text, redaction))
  const shownName = redact(plainName(name))
  const path = `${PAGE_WORKSPACE}/${shownName}.jsonl`
  const lines = sessions.flatMap((session) => [...sessionLines(session, redaction)]).join('')
  if (lines.length > MOST) return err(tooLarge(name))
  const files: PageFiles = {
    ...(await shippedFiles(shipped)),
    ...(await configFiles(config, shipped)),
    [path]: lines,
    ...(labels === null ? {} : { [path.replace(/\.jsonl$/u, '.labels.jsonl')]: redact(labels) }),
  }
  const about = [made(request, sessions.length), ...left.map((line) => `Left out: ${line}.`)]
  const facts = { version, preset: config.config.preset, link: linkTo(path, request), about }
  const still = stillHtml({ session: first, columns, redact }, about)
  const html = pageHtml(parts.value, { title: `${shownName} · Turnscope`, facts, files, still })
  return ok({ html, bytes: Buffer.byteLength(html), about })
}

function nothing(where: string) {
  return { what: 'there is no session to export', where, do: 'Choose at least one' }
}

function tooLarge(where: string) {
  const what = `the chosen sessions have more than ${MOST / 1_000_000} million characters`
  return { what, where, do: 'Choose fewer sessions, or some turns with --turns' }
}

function made({ redaction, labels, config }: PageRequest, sessions: number): string {
  const secrets =
    redaction === null ? 'Nothing was redacted.' : 'Secrets that were found are redacted.'
  const judged = labels === null ? '' : ' with its labels'
  return `${counted(sessions, 'session')}${judged}, replayed under the preset ${config.config.preset}. ${secrets} Labels and edits that you make stay in this page until it is closed.`
}

/** `notes.turnscope.jsonl` → `notes`. */
function plainName(name: string): string {
  const plain = basename(name).replace(/(?:\.turnscope)?\.[a-z]{2,6}$/iu, '')
  const safe = plain.replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 100)
  return safe === '' ? 'session' : safe
}

function linkTo(path: string, { config, compare }: PageRequest): string {
  const { preset, domains, profile } = config.config
  const query = new URLSearchParams({ s: `path:${path}`, preset, domains })
  if (profile !== null) query.set('profile', profile)
  if (compare !== null) query.set('compare', compare)
  return query.toString()
}

interface Kept {
  readonly sessions: readonly Session[]
  /** Decisions of the first session, as the page will make them. */
  readonly columns: ReplayColumns
  readonly left: readonly string[]
}

async function keptSessions(request: PageRequest): Promise<Result<Kept>> {
  const { transcript, chosen, turns, replay, name } = request
  const indexes = new Set(chosen ?? transcript.sessions.map((_, index) => index))
  const all = transcript.sessions.filter((_, index) => indexes.has(index))
  const [first, ...others] = all
  if (first === undefined) return err(nothing(name))
  const left = droppedFacts(transcript, indexes)
  const whole = await replay(first)
  if (turns === null) return ok({ sessions: all, columns: whole, left })
  const cut = cutTurns(first, whole, turns)
  if (!cut.ok) return cut
  const [from, to] = turns
  const missing = `turns of the first session before ${from} and after ${to}; momentum begins anew at turn ${from}, so its first decisions can differ from those of the whole session`
  const sessions = [cut.value, ...others]
  return ok({ sessions, columns: await replay(cut.value), left: [...left, missing] })
}

/** The events from a turn's exchange on to the end of the last turn, numbered anew. */
function cutTurns(
  session: Session,
  { seq, turns: count }: ReplayColumns,
  [from, to]: readonly [number, number],
): Result<Session> {
  const start = seq[from - 1]
  if (start === undefined || to < from) {
    const what = `there are no turns ${from}-${to}`
    return err({ what, where: session.title, do: `It has turns 1 to ${count}` })
  }
  const end = seq[to] ?? session.events.length
  const events = session.events.slice(start, end).map((event, index) => ({ ...event, seq: index }))
  return ok({ ...session, events })
}
