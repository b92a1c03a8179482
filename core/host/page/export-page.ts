import { basename } from 'node:path'
import { droppedFacts } from '../../engine/redact/dropped.ts'
import { redactionNote } from '../../engine/schema/redaction-note.ts'
import { redactText } from '../../engine/redact/redact.ts'
import { sessionLines } from '../../engine/redact/session-lines.ts'
import { type Result, err, ok, counted } from '../../engine/result.ts'
import type { ReplayColumns } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import {
  type PageConfig,
  type PageFiles,
  PAGE_WORKSPACE,
  configFiles,
  shippedFiles,
} from './page-files.ts'
import { pageHtml } from './page-html.ts'
import { type PageRequest, type PageSource, lacksOf } from './page-request.ts'
import { type TourFile, cutTour, stopLink, tourFile } from './page-tour.ts'
import { readPageParts } from './parts.ts'
import { stillHtml } from './still.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { LabelLine, SessionOutcome, TurnLabel } from '../../engine/schema/label.ts'
import {
  type LabelFinder,
  HASH_DIGITS,
  createLabelFinder,
  hashOf,
  isOutcome,
  isTurnLabel,
  parseLabels,
} from '../labels/label-file.ts'

interface ExportedPage {
  readonly html: string
  readonly bytes: number
  /** Describes this page and its omissions. */
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

/** [U123] An unsaved draft, if the page allows editing. */
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

/** If texts are kept, only the first session is replayed here. The page computes the decisions of the others itself. */
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

/** The events from the first turn of a range to just before the turn after it, renumbered. */
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

/** [R14] Sentences in the page that describe it and its omissions. */
function aboutPage(
  { redaction, text, edit, config, draft }: PageRequest,
  { sessions, labels, left }: { sessions: number; labels: number; left: readonly string[] },
): readonly string[] {
  const secrets =
    redaction === null ? 'Nothing was redacted.' : 'Secrets that were found are redacted.'
  const judged = labels === 0 ? '' : ` with ${counted(labels, 'label')}`
  const what = `${counted(sessions, 'session')}${judged}, replayed under the preset ${config.config.preset}. ${secrets}`
  const changes = text && edit ? 'Labels and edits' : 'Labels'
  return [
    `${what} ${changes} that you make stay in this page until it is closed, or saved as a file.`,
    ...(draft !== null && text && edit
      ? ['A draft that was not saved came along: Tune has it.']
      : []),
    ...(text ? [] : TEXTLESS),
    ...(text && !edit ? ['Left out: Tune. Signals cannot be edited in this page.'] : []),
    ...left.map((line) => `Left out: ${line}.`),
  ]
}

/**
 * [U120] Nothing is guessed about missing texts. These sentences state the disabled features, and the data that is
 * still shown.
 */
const TEXTLESS = [
  'Left out: what was said. Dots stand for messages and for texts of tools; titles, folders and names of people are gone. Lengths, times, names of tools and every decision stay, with the places where patterns matched: a pattern still tells what kind of words stood there.',
  'So signals cannot be edited and tried here, words cannot be found, and there are no prompts, self-signals, bundles or verdicts of the coach. Presets can be compared where they read the same texts with the same signals.',
]

/** A session as it was read, and as it goes into the page. */
interface Carried {
  readonly from: Session
  /** Place among the sessions of its file. */
  readonly index: number
  readonly to: Session
  /** Events that were left out before its first one. */
  readonly before: number
}

interface Carrying {
  /** Lines of a labels file. */
  readonly labels: string
  readonly sessions: readonly Carried[]
  /** Replaces secrets, in texts of events. */
  readonly redact: (text: string) => string
  /** Without the texts, labels that consist of a text cannot be matched. */
  readonly text: boolean
}

/**
 * [U122] The labels of sessions that changed during export. A text may be masked, redacted or renumbered, and its label
 * must still match. Lines that are not labels, or have lost their event, are dropped.
 */
function carryLabels({ labels, sessions, redact, text }: Carrying): readonly LabelLine[] {
  const finders = new Map(
    sessions.map((each) => [each, createLabelFinder(each.from.events, each.from.texts)]),
  )
  const of = (id: string | undefined) =>
    sessions.find(({ from, index }) => (id === undefined ? index === 0 : from.id === id))
  return parseLabels(labels).flatMap(({ value }): readonly LabelLine[] => {
    if (value === null) return []
    if (!isTurnLabel(value) && !isOutcome(value)) return text ? [value] : []
    const carried = of(value.session)
    const finder = carried && finders.get(carried)
    if (carried === undefined || finder === undefined) return []
    const moved = isTurnLabel(value)
      ? movedLabel(value, carried, { finder, redact })
      : ({ ...value, session: carried.to.id } satisfies SessionOutcome)
    return moved === null ? [] : [moved]
  })
}

interface Finding {
  readonly finder: LabelFinder
  readonly redact: (text: string) => string
}

function movedLabel(
  label: TurnLabel,
  { to, before }: Carried,
  { finder, redact }: Finding,
): TurnLabel | null {
  const seq = finder.find(label)
  const event = seq === null ? undefined : to.events[seq - before]
  if (event === undefined) return null
  const sha256 = hashOf(redact(textOf(event, to.texts))).slice(0, HASH_DIGITS)
  return { ...label, session: to.id, event: event.seq, sha256 }
}

/** Sessions of several files in one: ids that occur twice get a number, and parents follow. */
function uniqueSessions<T extends { readonly to: Session }>(
  files: ReadonlyArray<readonly T[]>,
): readonly T[] {
  const taken = new Set<string>()
  return files.flatMap((sessions) => {
    const names = new Map<string, string>()
    for (const { to } of sessions) {
      let name = to.id
      for (let count = 2; taken.has(name); count += 1) name = `${to.id} (${count})`
      taken.add(name)
      names.set(to.id, name)
    }
    return sessions.map((each) => {
      const { id, parent } = each.to
      const renamed = { id: names.get(id) ?? id, parent: parent && (names.get(parent) ?? parent) }
      return { ...each, to: { ...each.to, ...renamed } }
    })
  })
}
