import { basename } from 'node:path'
import { droppedFacts } from '../../engine/redact/dropped.ts'
import { redactionNote } from '../../engine/schema/redaction-note.ts'
import { redactText } from '../../engine/redact/redact.ts'
import { sessionLines } from '../../engine/redact/session-lines.ts'
import { type Result, err, ok } from '../../engine/result.ts'
import type { ReplayColumns } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import { aboutPage } from './page-about.ts'
import {
  type PageConfig,
  type PageFiles,
  PAGE_WORKSPACE,
  configFiles,
  shippedFiles,
} from './page-files.ts'
import { pageHtml } from './page-html.ts'
import { type Carried, carryLabels, uniqueSessions } from './page-labels.ts'
import { type PageRequest, type PageSource, lacksOf } from './page-request.ts'
import { type TourFile, cutTour, stopLink, tourFile } from './page-tour.ts'
import { readPageParts } from './parts.ts'
import { stillHtml } from './still.ts'

export interface ExportedPage {
  readonly html: string
  readonly bytes: number
  /** What this page is, and what was left out. */
  readonly about: readonly string[]
}

/** Units of text that one page may hold: it is one text in the browser, twice. */
const MOST = 200_000_000
/** Sessions of one page: each has a row in its list. */
const MOST_SESSIONS = 500

/** [R11] [U124] Sessions with the program that replays them, as one HTML file. */
export async function exportPage(request: PageRequest): Promise<Result<ExportedPage>> {
  const parts = await readPageParts(request.shipped)
  if (!parts.ok) return parts
  if (request.tour && request.turns !== null) return err(cutTour(request.tour.id))
  if (request.tour !== null && request.turns !== null) return err(cutTour(request.tour.id))
  const kept = await keptSessions(request)
  if (!kept.ok) return kept
  const { files: carried, columns, left } = kept.value
  const sessions = uniqueSessions(carried)
  const [first] = sessions
  const name = nameOf(request.sources)
  if (first === undefined) return err(nothing(name))
  if (sessions.length > MOST_SESSIONS) return err(tooMany(sessions.length, name))
  const { redaction, shipped, version, text } = request
  const redact = (each: string) => (redaction === null ? each : redactText(each, redaction))
  const config = await configFiles(request, shipped)
  const shownName = redact(plainName(name))
  const path = `${PAGE_WORKSPACE}/${shownName}.jsonl`
  const lines = sessions.flatMap(({ to }) => [...sessionLines(to, redaction)]).join('')
  if (lines.length > MOST) return err(tooLarge(name))
  const labels = labelsOf(request, sessions, carried, redact)
  const files: PageFiles = {
    ...(await shippedFiles(shipped)),
    ...config.files,
    ...draftOf(request, config),
    ...request.more,
    ...tourFile(request.tour, redact),
    [path]: lines,
    ...(labels.length === 0 ? {} : { [labelsPath(path)]: redact(`${labels.join('\n')}\n`) }),
  }
  const about = [
    ...aboutPage(request, { sessions: sessions.length, labels: labels.length, left }),
    ...(redaction === null ? [] : [`Redaction ${redactionNote(redaction.kinds)}.`]),
  ]
  const { preset } = config
  const lacks = lacksOf(request)
  const facts = { version, preset, link: linkTo(path, config, request.tour), about, lacks }
  const still = stillHtml({ session: first.to, columns, redact, text }, about)
  const html = pageHtml(parts.value, { title: `${shownName} · Turnscope`, facts, files, still })
  return ok({ html, bytes: Buffer.byteLength(html), about })
}

function labelsOf(
  { sources, text }: PageRequest,
  sessions: readonly Carried[],
  files: ReadonlyArray<readonly Carried[]>,
  redact: (text: string) => string,
): readonly string[] {
  let at = 0
  return sources.flatMap(({ labels }, file) => {
    const own = sessions.slice(at, at + (files[file]?.length ?? 0))
    at += own.length
    if (labels === null) return []
    return carryLabels({ labels, sessions: own, redact, text }).map((line) => JSON.stringify(line))
  })
}

/** [U123] A draft that is not saved, where it can be edited on. */
function draftOf(request: PageRequest, { domainsPath }: PageConfig): PageFiles {
  if (request.draft === null || lacksOf(request).length > 0) return {}
  const { path, text } = request.draft(domainsPath)
  return { [path]: text }
}

const labelsPath = (path: string) => path.replace(/\.jsonl$/u, '.labels.jsonl')

/** A page of several files is called after the first one. */
function nameOf([first, ...others]: readonly PageSource[]): string {
  const name = first?.name ?? 'session'
  return others.length === 0 ? name : `${plainName(name)} and ${others.length} more.jsonl`
}

function nothing(where: string) {
  return { what: 'there is no session to export', where, do: 'Choose at least one' }
}

function tooMany(count: number, where: string) {
  const what = `${count} sessions are more than the ${MOST_SESSIONS} that a page may hold`
  return { what, where, do: 'Choose fewer files, or fewer of their sessions' }
}

function tooLarge(where: string) {
  const what = `the chosen sessions have more than ${MOST / 1_000_000} million characters`
  return { what, where, do: 'Choose fewer sessions, or some turns with --turns' }
}

/** `notes.turnscope.jsonl` → `notes`. */
function plainName(name: string): string {
  const plain = basename(name).replace(/(?:\.turnscope)?\.[a-z]{2,6}$/iu, '')
  const safe = plain.replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 100)
  return safe === '' ? 'session' : safe
}

function linkTo(path: string, config: PageConfig, tour: TourFile | null): string {
  const { preset, domains, profile, compare } = config
  const query = new URLSearchParams({ s: `path:${path}`, preset, domains, ...stopLink(tour) })
  if (profile !== null) query.set('profile', profile)
  if (compare !== null) query.set('compare', compare)
  return query.toString()
}

interface Kept {
  /** Sessions by file. */
  readonly files: ReadonlyArray<readonly Carried[]>
  /** Decisions of the first session, as the page will make them. */
  readonly columns: ReplayColumns
  readonly left: readonly string[]
}

async function keptSessions(request: PageRequest): Promise<Result<Kept>> {
  const { turns } = request
  const left: string[] = []
  const files: Carried[][] = []
  let columns: ReplayColumns | null = null
  for (const { transcript, chosen } of request.sources) {
    const indexes = new Set(chosen ?? transcript.sessions.map((_, index) => index))
    left.push(...droppedFacts(transcript, indexes))
    const carried: Carried[] = []
    for (const index of indexes) {
      const from = transcript.sessions[index]
      if (from === undefined) continue
      const kept = await carry({ from, index }, columns === null, request)
      if (!kept.ok) return kept
      columns ??= kept.value.columns
      carried.push(kept.value.carried)
    }
    files.push(carried)
  }
  if (columns === null) return err(nothing(nameOf(request.sources)))
  if (turns !== null) left.push(missingTurns(turns))
  return ok({ files, columns, left: [...new Set(left)] })
}

/** Only the first session stands in the page as it is; of the others the page says itself what they come to. */
async function carry(
  { from, index }: Pick<Carried, 'from' | 'index'>,
  isFirst: boolean,
  request: PageRequest,
): Promise<Result<{ readonly carried: Carried; readonly columns: ReplayColumns | null }>> {
  const { turns, replay, text } = request
  const cut = await cutSession(from, isFirst ? turns : null, request)
  if (!cut.ok) return cut
  const { session, before } = cut.value
  if (text && !isFirst) return ok({ carried: { from, index, to: session, before }, columns: null })
  const played = await replay(session)
  const to = text ? session : await played.withoutTexts()
  return ok({ carried: { from, index, to, before }, columns: played.columns })
}

function missingTurns([from, to]: readonly [number, number]): string {
  return `turns of the first session before ${from} and after ${to}; momentum starts again at turn ${from}, so its first decisions can differ from those of the whole session`
}

interface Cut {
  readonly session: Session
  readonly before: number
}

/** The events from a turn's exchange on to the end of the last turn, numbered anew. */
async function cutSession(
  session: Session,
  turns: readonly [number, number] | null,
  { replay }: PageRequest,
): Promise<Result<Cut>> {
  if (turns === null) return ok({ session, before: 0 })
  const { seq, turns: count } = (await replay(session)).columns
  const [from, to] = turns
  const start = seq[from - 1]
  if (start === undefined || to < from) {
    const what = `there are no turns ${from}-${to}`
    return err({ what, where: session.title, do: `It has turns 1 to ${count}` })
  }
  const end = seq[to] ?? session.events.length
  const events = session.events.slice(start, end).map((event, index) => ({ ...event, seq: index }))
  return ok({ session: { ...session, events }, before: start })
}
