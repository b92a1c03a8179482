import type { z } from 'zod'
import type { ScoredNow } from '../../engine/lab/score-corpus.ts'
import { patchPipeline } from '../../engine/lab/patch.ts'
import { compileSignal } from '../../engine/matcher/signal.ts'
import { formatProblem } from '../../engine/result.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { DraftProblem } from '../../engine/schema/lab.ts'
import { type TurnLabel, TextLabel } from '../../engine/schema/label.ts'
import { turnsOf } from '../../engine/turns.ts'
import type { Handlers } from '../../wire/rpc.ts'
import type { TimeLimit } from '../shared/guard.ts'
import { showTurns } from './corpus-turns.ts'
import type { Waiting } from './corpus-work.ts'
import { flipReport, metricsOf } from './flip-report.ts'
import { type BlameCache, createBlameCache } from './blame-cache.ts'
import { type SavedText, signalRows } from './signal-rows.ts'
import { type ResolvedSide, type SideFailure, type Sides, createSides } from './sides.ts'
import { refusal } from '../shared/names.ts'
import { reporting, throttled } from '../shared/yielding.ts'
import type { Workspace } from '../files/workspace.ts'
import type { Desk } from '../session/service.ts'
import { createQuestionHandlers, answering } from './corpus-handlers.ts'
import { type LabDesk, type OpenCorpus, corpusSessions, createLabDesk } from './service.ts'
import { createDraftHandlers } from './draft-handlers.ts'
import { createLabelHandlers } from '../session/label-handlers.ts'
import type { LabWorkerContract } from './contract.ts'

interface LabOptions {
  readonly desk: Desk
  readonly workspace: Workspace
  readonly limit: TimeLimit
}

type Input<K extends keyof LabWorkerContract> = z.output<LabWorkerContract[K]['in']>
type Output<K extends keyof LabWorkerContract> = Immutable<z.input<LabWorkerContract[K]['out']>>

/** The lab's side of a worker thread; which thread is asked what, the main process knows. */
export function createLabHandlers(options: LabOptions): Handlers<LabWorkerContract> {
  const { desk, workspace, limit } = options
  const sides = createSides(workspace)
  const lab = createLabDesk({ workspace, sides, limit })
  const blame = createBlameCache()

  return {
    ...createQuestionHandlers(lab, workspace),
    ...createDraftHandlers(workspace, sides),
    ...createLabelHandlers(desk, workspace.root),
    'lab.open': (input, { signal }) => open(lab, input, signal),
    'lab.close': ({ corpus }) => {
      lab.close(corpus)
      return {}
    },
    'lab.relabel': async ({ corpus }) => {
      await lab.relabel(corpus)
      return {}
    },
    'lab.flips': (input, { signal }) => flips(lab, sides, input, signal),
    'lab.signals': (input, waiting) => signals({ lab, sides, blame }, input, waiting),
    'lab.matches': (input, waiting) => matches(lab, input, waiting),
    'lab.marks': (input) => marks(desk, sides, input),
    'labels.export': ({ corpus }) => {
      const { read } = lab.get(corpus)
      const lines = [...read.labels].map(([turn, label]) =>
        textLabelOf(label, read.corpus.turn(turn).text),
      )
      return { lines, text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
    },
  }
}

type OpenStep = Output<'lab.open'>

async function* open(
  lab: LabDesk,
  input: Input<'lab.open'>,
  signal: AbortSignal,
): AsyncGenerator<OpenStep, void> {
  const { corpus: id, config, ...sources } = input
  try {
    const ready = yield* reporting<OpenStep, OpenStep>(async (report) => {
      const progress = (phase: 'reading' | 'scanning') =>
        throttled((done, total) => report({ kind: 'progress', phase, done, total }))
      const reading = { signal, onRead: progress('reading') }
      const corpus = await lab.open(id, sources, config, reading)
      const waiting: Waiting = { signal, onProgress: progress('scanning') }
      const { scored } = await lab.score(corpus, { kind: 'config', config }, waiting)
      warmUp(corpus, scored)
      const { read } = corpus
      return {
        ...{ kind: 'ready', corpus: id, sessions: corpusSessions(corpus) },
        ...{ turns: read.corpus.turns, chars: read.corpus.chars },
        lost: read.lost,
        metrics: metricsOf(scored, read.labels),
        problems: read.problems,
      }
    })
    yield ready
  } catch (error) {
    lab.close(id)
    throw error
  }
}

/**
 * The first edit of all would have to build what finds candidates of a new pattern: that is done now,
 * while a person reads, by looking for a word that nobody writes.
 */
function warmUp({ work }: OpenCorpus, { pipeline }: ScoredNow): void {
  const { domains, options } = pipeline.belief.set
  const signal = compileSignal('\\bqzxjwarmup\\b', 'warm-up', options)
  const [first] = domains
  if (!signal.ok || first === undefined) return
  const added = patchPipeline(pipeline, { add: [{ domain: first.name, signal: signal.value }] })
  // Whoever closes the corpus meanwhile loses nothing by it.
  void work.score(added, { signal: new AbortController().signal }).catch(() => undefined)
}

/** [T40] A newer question of the same corpus ends an older one, quietly. */
async function* flips(
  lab: LabDesk,
  sides: Sides,
  input: Input<'lab.flips'>,
  signal: AbortSignal,
): AsyncGenerator<Output<'lab.flips'>, void> {
  const corpus = lab.get(input.corpus)
  corpus.flips.abort()
  const own = new AbortController()
  corpus.flips = own
  const either = AbortSignal.any([signal, own.signal])
  try {
    yield* answering<Output<'lab.flips'>>('comparing', either, async (waiting) => {
      const start = performance.now()
      const base = await lab.resolve(input.base)
      const side = await sides.resolve(input.side)
      if (!side.ok) return { kind: 'flips', report: null, problems: problemsOf(side.error) }
      const compileMs = performance.now() - start
      const { work, read } = corpus
      const report = await flipReport(
        { work, labels: read.labels, compileMs },
        { base, side: side.value },
        waiting,
      )
      return { kind: 'flips', report, problems: side.value.problems }
    })
  } catch (error) {
    if (!own.signal.aborted || signal.aborted) throw error
  }
}

/** Places in the text where there are some; else it is not the text's fault, and is refused. */
function problemsOf({ problem, problems }: SideFailure): readonly DraftProblem[] {
  if (problems.length > 0) return problems
  throw refusal(problem)
}

interface SignalTable {
  readonly lab: LabDesk
  readonly sides: Sides
  readonly blame: BlameCache
}

async function signals(
  { lab, sides, blame }: SignalTable,
  { corpus: id, side, key, inFile }: Input<'lab.signals'>,
  waiting: Waiting,
): Promise<Output<'lab.signals'>> {
  const { work, read } = lab.get(id)
  const resolved = await sides.resolve(side)
  if (!resolved.ok) return { rows: [], problems: problemsOf(resolved.error) }
  const { compiled, text, files, problems } = resolved.value
  const scored = await work.score(compiled.pipeline, waiting)
  const session = read.origins.findIndex(
    (origin) => key !== null && origin.key === key && origin.inFile === inFile,
  )
  const saved = await savedOf(sides, files, blame)
  const { labels } = read
  return { rows: signalRows({ scored, labels, text, saved, session }), problems }
}

async function savedOf(
  sides: Sides,
  { config, domains }: ResolvedSide['files'],
  blame: BlameCache,
): Promise<SavedText | null> {
  const saved = await sides.saved(config)
  if (!saved.ok) return null
  const text = sides.read(saved.value.text)
  return { text, times: await blame.get(domains.file.path, text.fingerprint) }
}

/** Turns on which a pattern matches that need not be in any file. */
async function matches(
  lab: LabDesk,
  { corpus: id, pattern, dialect, flags, most }: Input<'lab.matches'>,
  waiting: Waiting,
): Promise<Output<'lab.matches'>> {
  const { config, work, read } = lab.get(id)
  const { compiled } = await lab.resolve({ kind: 'config', config })
  const { pipeline } = compiled
  const { domains, options } = pipeline.belief.set
  const entry = { pattern, dialect, ...(flags === null ? {} : { flags }) }
  const signal = compileSignal(entry, 'this pattern', options)
  const [first] = domains
  const nothing = { total: 0, turns: [], cutOff: 0 }
  if (!signal.ok) return { ...nothing, problem: formatProblem(signal.error) }
  if (first === undefined) return { ...nothing, problem: 'there is no domain' }
  // Added behind the signals of the first domain, whose numbers begin at 0.
  const number = first.signals.length
  const added = patchPipeline(pipeline, { add: [{ domain: first.name, signal: signal.value }] })
  const scored = await work.score(added, waiting)
  const posting = scored.posting(number)
  const base = await work.score(pipeline, waiting)
  const showing = { scored, decided: base, labels: read.labels, watch: work.watch }
  return {
    total: posting.length,
    turns: showTurns([...posting.subarray(0, most)], { ...showing, only: new Set([number]) }),
    problem: null,
    cutOff: scored.cutOffs.filter((each) => each.number === number).length,
  }
}

/** Most rows of one answer, and units of a text that are marked. */
const MAX_ROWS = 500
const MARKED_CHARS = 20_000

/** What a draft's signals match in rows of an opened session. */
async function marks(
  desk: Desk,
  sides: Sides,
  input: Input<'lab.marks'>,
): Promise<Output<'lab.marks'>> {
  const { events, texts } = desk.session(input)
  const resolved = await sides.resolve({ kind: 'draft', draft: input.draft })
  if (!resolved.ok) throw refusal(resolved.error.problem)
  const { compiled } = resolved.value
  const to = Math.min(input.to, input.from + MAX_ROWS, events.length)
  const turns = turnsOf(events, compiled.classify, input.from, to)
  const shown = turns.flatMap(({ seq }) => {
    const event = events[seq]
    return event === undefined ? [] : [{ event, shown: MARKED_CHARS }]
  })
  const found = await desk.marks(compiled, shown, texts)
  return { rows: shown.map(({ event }, at) => ({ seq: event.seq, marks: found[at] ?? [] })) }
}

/** The label without its place, with the text that it is of. */
function textLabelOf(label: TurnLabel, text: string): TextLabel {
  const { id, primary, acceptable, secondary, forbidden, note, by } = label
  const given = Object.entries({ id, primary, acceptable, secondary, forbidden, note, by })
  // The same judgement; what is not said stays away.
  return TextLabel.parse({
    type: 'text',
    text,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  })
}
