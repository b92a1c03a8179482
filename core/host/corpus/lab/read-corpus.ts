import { createForks } from '../../../engine/forks.ts'
import { readdir } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { type Corpus, type CorpusLabels, createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import type { SessionOutcome, TextLabel } from '../../../engine/schema/label.ts'
import type { ClassifyKinds } from '../../../engine/schema/preset.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { messageOf } from '../../../engine/result.ts'
import { textlessHead } from '../../../engine/textless/schema.ts'
import { type Turn, hasNotices, turnsOf } from '../../../engine/turns.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import { openTranscript } from '../../transcripts/transcript.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { CorpusFile } from './corpus-files.ts'
import { packTurns } from './packed-turns.ts'
import {
  type CorpusReadings,
  type FoundLabels,
  type LabelTarget,
  type LostLabel,
  findLabels,
  NO_SESSION,
  turnLabelOf,
} from './corpus-labels.ts'
import { LABELS_FOLDER } from '../../workspace/labels-place.ts'
import { type LabelFile, type LabelStore, readLabelFile } from '../../labels/label-store.ts'

/** Origin of a session of the corpus. */
interface SessionOrigin {
  /** Index into the corpus's files; -1 for a text from a labels file. */
  readonly file: number
  readonly path: string | null
  readonly key: string | null
  readonly inFile: number
  readonly id: string
  readonly title: string
  /** [L91] The source that a text label names. */
  readonly source: string | null
}

/** Sessions, turns and labels, read. */
export interface ReadCorpus {
  readonly corpus: Corpus
  /** The kinds of events that count as turns (T41). */
  readonly classify: ClassifyKinds
  readonly files: readonly CorpusFile[]
  /** [B27] Whether sessions have results that are turns only if notices are classified. */
  readonly hasNotices: boolean
  /** [I212] Turns that a fork copied from another session of the corpus. */
  readonly copies: ReadonlySet<number>
  /** By session of the corpus. */
  readonly origins: readonly SessionOrigin[]
  readonly labels: CorpusLabels
  readonly readings: CorpusReadings
  readonly outcomes: ReadonlyMap<number, SessionOutcome>
  readonly lost: readonly LostLabel[]
  readonly problems: ReadonlyArray<{ readonly path: string; readonly what: string }>
}

export interface ReadingPlan {
  readonly files: readonly CorpusFile[]
  readonly classify: ClassifyKinds
  /** Labels files beside those of the transcripts, each with the index of its file, or -1 for cases alone. */
  readonly extra: ReadonlyArray<{ readonly path: string; readonly file: number }>
  /** Whether labels of sessions that are not here are lost, or simply of no concern. */
  readonly foreign: 'lost' | 'ignore'
  readonly store: LabelStore
  /** [I140] Formats of the workspace, with the mapping that was chosen for a file. */
  readonly formats: (map: string | null) => FormatsOf
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

interface Part {
  readonly origin: SessionOrigin
  /** [I212] Turns that are copies of turns of another session. */
  readonly copies?: ReadonlySet<number>
  readonly hasNotices?: boolean
  readonly turns: readonly Turn[]
}

/**
 * [T40] Reads the files of a corpus one after the other. An unreadable file is listed as a problem, and the next files
 * are read.
 */
export async function readCorpus(plan: ReadingPlan): Promise<ReadCorpus> {
  const parts: Part[] = []
  const problems: Array<{ path: string; what: string }> = []
  const forks = createForks()
  const total = plan.files.reduce((sum, file) => sum + file.bytes, 0)
  let before = 0
  for (const [index, file] of plan.files.entries()) {
    const opened = await openTranscript(file.path, {
      signal: plan.signal,
      formats: plan.formats(file.map),
      onProgress: (done) => plan.onProgress(Math.min(before + done, total), total),
    })
    before += file.bytes
    if (opened.ok) {
      const { sessions } = opened.value.transcript
      for (const [inFile, session] of sessions.entries()) {
        const { path, name } = file
        const { id, title } = session
        if (textlessHead(session) !== null) {
          problems.push({
            path: file.shown ?? path,
            what: `the texts of ${id} were left out of it`,
          })
          continue
        }
        const shown = file.shown ?? (file.key === null ? path : name)
        const place = { path: shown, key: file.key, inFile }
        const origin = { file: index, ...place, id, title, source: null }
        const turns = await turnsInMemory(session, plan)
        const copies = forks.take(session, turns)
        parts.push({ origin, turns, copies, hasNotices: hasNotices(session.events) })
      }
      opened.value.close()
    } else {
      problems.push({ path: file.path, what: opened.error.what })
    }
  }
  const labels = await labelsOf(plan, parts, (problem) => problems.push(problem))
  return combine(plan, parts, { labels, problems })
}

/** Texts in memory: scoring goes over all of them again and again. */
async function turnsInMemory(
  session: Session,
  { classify, signal }: ReadingPlan,
): Promise<readonly Turn[]> {
  const breath = createBreath(signal)
  const turns: Turn[] = []
  for (const event of turnsOf(session.events, classify)) {
    turns.push({ seq: event.seq, kind: event.kind, text: textOf(event, session.texts) })
    await breath()
  }
  return packTurns(turns)
}

/** Reads the labels files of a corpus and matches them to turns. */
async function labelsOf(
  plan: ReadingPlan,
  parts: readonly Part[],
  onProblem: (problem: ReadCorpus['problems'][number]) => void,
): Promise<FoundLabels> {
  // [F15] Labels that cannot be read are said; figures without them would look complete.
  const orSaid = <T>(reading: Promise<T>, path: string, otherwise: T): Promise<T> =>
    reading.catch((error: unknown) => {
      onProblem({ path, what: messageOf(error) })
      return otherwise
    })
  const files: LabelFile[][] = []
  for (const file of plan.files)
    files.push([...(await orSaid(plan.store.read(file), file.path, []))])
  const known = new Set(files.flat().map(({ path }) => path))
  const cases: LabelFile[] = []
  for (const { path, file } of plan.extra) {
    const read = known.has(path) ? null : await orSaid(readLabelFile(path), path, null)
    if (read !== null) (files[file] ?? cases).push(read)
  }
  const found: FoundLabels[] = [...files, cases].map((own, file) => {
    const labels = findLabels(own, targetsOf(parts, file))
    const quiet = plan.foreign === 'ignore' && file === files.length
    return quiet
      ? { ...labels, lost: labels.lost.filter(({ what }) => what !== NO_SESSION) }
      : labels
  })
  return {
    labels: new Map(found.flatMap(({ labels }) => [...labels])),
    readings: new Map(found.flatMap(({ readings }) => [...readings])),
    outcomes: new Map(found.flatMap(({ outcomes }) => [...outcomes])),
    lost: found.flatMap(({ lost }) => lost),
    texts: found.flatMap(({ texts }) => texts),
  }
}

/** The sessions of one file, as its labels see them. */
function targetsOf(parts: readonly Part[], file: number): readonly LabelTarget[] {
  let first = 0
  return parts.flatMap(({ origin, turns }, index) => {
    const target = { id: origin.id, isFirst: origin.inFile === 0, index, first, turns }
    first += turns.length
    return origin.file === file ? [target] : []
  })
}

/** [I212] Numbers of the turns that are copies. */
function copiesIn(parts: readonly Part[]): ReadonlySet<number> {
  const found = new Set<number>()
  let first = 0
  for (const { turns, copies } of parts) {
    for (const [at, { seq }] of turns.entries())
      if (copies?.has(seq) === true) found.add(first + at)
    first += turns.length
  }
  return found
}

function combine(
  plan: ReadingPlan,
  parts: readonly Part[],
  given: { readonly labels: FoundLabels; readonly problems: ReadCorpus['problems'] },
): ReadCorpus {
  const { outcomes, lost, texts } = given.labels
  const labels = new Map(given.labels.labels)
  const all = [...parts]
  let turns = parts.reduce((sum, part) => sum + part.turns.length, 0)
  for (const { file, line, label } of texts) {
    labels.set(turns, turnLabelOf(label))
    turns += 1
    all.push(casePart(file, line, label))
  }
  return {
    corpus: createCorpus(all.map(({ origin, turns: own }) => ({ id: origin.id, turns: own }))),
    origins: all.map(({ origin }) => origin),
    copies: copiesIn(all),
    hasNotices: all.some((part) => part.hasNotices === true),
    files: plan.files,
    classify: plan.classify,
    problems: given.problems,
    labels,
    readings: given.labels.readings,
    outcomes,
    lost,
  }
}

/** The same turns with the labels that their files have now. Cases stay: they are turns themselves. */
export async function relabelled(read: ReadCorpus, plan: ReadingPlan): Promise<ReadCorpus> {
  const parts = read.origins.flatMap((origin, index) => {
    const turns = read.corpus.sessions[index]?.turns ?? []
    return origin.file < 0 ? [] : [{ origin, turns }]
  })
  const cases = parts.reduce((sum, part) => sum + part.turns.length, 0)
  const kept = [...read.labels].filter(([turn]) => turn >= cases)
  const problems = [...read.problems]
  const found = await labelsOf(plan, parts, (problem) => {
    const isKnown = ({ path, what }: typeof problem) =>
      path === problem.path && what === problem.what
    if (!problems.some(isKnown)) problems.push(problem)
  })
  const { readings, outcomes, lost } = found
  const labels = new Map([...found.labels, ...kept])
  return { ...read, problems, labels, readings, outcomes, lost }
}

/** [T2] A text label is a session of one turn, so that momentum says nothing. */
function casePart(file: string, line: number, { text, id, source }: TextLabel): Part {
  const name = id ?? `line ${line}`
  const place = { path: file, key: null, inFile: line - 1 }
  const origin = { file: -1, ...place, id: name, title: name, source: source ?? null }
  return { origin, turns: [{ seq: 0, kind: 'user', text }] }
}

/** Labels files of the workspace. */
export async function workspaceCases(root: string): Promise<readonly string[]> {
  const folder = join(root, LABELS_FOLDER)
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => join(folder, name))
}
