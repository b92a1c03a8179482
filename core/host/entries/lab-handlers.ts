import { dirname } from 'node:path'
import type { Answer, Asked } from '../../wire/method.ts'
import type { ScoredNow } from '../../engine/lab/scoring/score-corpus.ts'
import { patchPipeline } from '../../engine/lab/why/patch.ts'
import { compileSignal } from '../../engine/matcher/signal.ts'
import { formatProblem } from '../../engine/result.ts'
import { type TurnLabel, TextLabel } from '../../engine/schema/label.ts'
import type { Handlers } from '../../wire/rpc.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { showTurns } from '../corpus/lab/corpus-turns.ts'
import type { Waiting } from '../corpus/waiting.ts'
import { createFlipHandlers } from '../flips/lab/flip-handlers.ts'
import { problemsOf, streamFlips } from '../flips/lab/flip-stream.ts'
import { createQueueThreadHandlers } from '../queue/lab/queue-handlers.ts'
import { createSources } from '../corpus/lab/sources.ts'
import { metricsOf } from '../flips/lab/flip-report.ts'
import { type Lru, createLru } from '../../engine/lru.ts'
import type { Git } from '../platform/git/git.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import { type TrustGate, isRestricted } from '../platform/trust/gate.ts'
import type { SavedText } from '../workspace/domains/signal-list.ts'
import { signalRows } from '../corpus/lab/signal-rows.ts'
import { type ResolvedSide, type Sides, createSides } from '../drafts/sides.ts'
import { configKeyOf } from '../rules/pipelines.ts'
import { reporting, throttled } from '../platform/threads/yielding.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Scanners } from '../corpus/scan/scan-together.ts'
import { createQuestionHandlers } from '../corpus/lab/corpus-handlers.ts'
import {
  type LabService,
  type OpenCorpus,
  corpusSessions,
  createLabService,
} from '../corpus/lab/service.ts'
import type { LabThreadContract } from '../../wire/threads.ts'

type Input<K extends keyof LabThreadContract> = Asked<LabThreadContract, K>
type Output<K extends keyof LabThreadContract> = Answer<LabThreadContract, K>

/** The lab thread's side of every method. */
export function createLabHandlers(
  workspace: Workspace,
  scanners?: Scanners,
): Handlers<LabThreadContract> {
  const limit = createTimeLimit()
  const sides = createSides(workspace)
  const lab = createLabService({ workspace, sides, limit, scanners })
  const blame: Blame = createLru(KEPT_BLAME)
  const { trust, git } = workspace

  return {
    ...createQuestionHandlers(lab, workspace),
    'lab.open': (input, { signal }) => open(lab, input, signal),
    'lab.close': ({ corpus }) => {
      lab.close(corpus)
      return {}
    },
    'lab.relabel': async ({ corpus }) => {
      await lab.relabel(corpus)
      return {}
    },
    'lab.messages': ({ corpus }) => messagesOf(lab.get(corpus)),
    'lab.flips': (input, { signal }) => streamFlips(lab, sides, input, signal),
    ...createFlipHandlers(lab),
    ...createQueueThreadHandlers(lab),
    'lab.signals': (input, waiting) => signals({ lab, sides, blame, trust, git }, input, waiting),
    'lab.matches': (input, waiting) => matches(lab, input, waiting),
    'labels.export': ({ corpus }) => {
      const { read } = lab.get(corpus)
      const sources = createSources(read)
      const lines = [...read.labels].map(([turn, label]) =>
        textLabelOf({ ...label, source: sources.of(turn) }, read.corpus.turn(turn).text),
      )
      return { lines, text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
    },
  }
}

/** [D71] Messages that are turns of the corpus. The maximum UTF-16 units per message for the probe: D45. */
async function* messagesOf({ read }: OpenCorpus): AsyncGenerator<Output<'lab.messages'>, void> {
  const { sessions } = read.corpus
  for (const [index, { turns }] of sessions.entries()) {
    const messages = turns.flatMap(({ kind, seq, text }) =>
      kind === 'user' ? [{ seq, text: text.slice(0, MOST_PROBED) }] : [],
    )
    yield await Promise.resolve({
      messages,
      sessions: sessions.length,
      name: read.origins[index]?.title ?? '',
    })
  }
}

const MOST_PROBED = 200_000

type OpenStep = Output<'lab.open'>

async function* open(
  lab: LabService,
  input: Input<'lab.open'>,
  signal: AbortSignal,
): AsyncGenerator<OpenStep, void> {
  const { corpus: id, config, ...sources } = input
  try {
    const ready = yield* reporting<OpenStep, OpenStep>(async (report) => {
      const progress = (phase: 'reading' | 'replaying') =>
        throttled((done, total) => report({ kind: 'progress', phase, done, total }))
      const reading = { signal, onRead: progress('reading') }
      const corpus = await lab.open(id, sources, config, reading)
      const waiting: Waiting = { signal, onProgress: progress('replaying') }
      const { side, scored } = await lab.score(corpus, { kind: 'config', config }, waiting)
      warmUp(corpus, scored)
      const { read } = corpus
      return {
        kind: 'ready',
        corpus: id,
        configKey: configKeyOf(side.files),
        sessions: corpusSessions(corpus),
        turns: read.corpus.turns,
        chars: read.corpus.chars,
        lost: read.lost,
        metrics: metricsOf(scored, read),
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
 * The first edit would have to build the index that finds candidates for a new pattern. It is built now, while the
 * operator reads, by scanning for a word that never occurs.
 */
function warmUp({ work }: OpenCorpus, { pipeline }: ScoredNow): void {
  const { domains, options } = pipeline.belief.set
  const signal = compileSignal('\\bqzxjwarmup\\b', 'warm-up', options)
  const [first] = domains
  if (!signal.ok || first === undefined) return
  const added = patchPipeline(pipeline, { add: [{ domain: first.name, signal: signal.value }] })
  // If the corpus is closed meanwhile, nothing is lost.
  void work.score(added, { signal: new AbortController().signal }).catch(() => undefined)
}

/** When the lines of files were last committed; asked of git once for each content. */
type Blame = Lru<string, ReturnType<Git['blame']>>
const KEPT_BLAME = 20

interface SignalTable {
  readonly lab: LabService
  readonly sides: Sides
  readonly blame: Blame
  readonly trust: TrustGate
  readonly git: Git
}

async function signals(
  { lab, trust, ...around }: SignalTable,
  { corpus: id, side, key, inFile }: Input<'lab.signals'>,
  waiting: Waiting,
): Promise<Output<'lab.signals'>> {
  const { work, read } = lab.get(id)
  const resolved = await around.sides.resolve(side)
  const configKey = await lab.configKey(side)
  if (!resolved.ok) {
    return { configKey, rows: [], problems: problemsOf(resolved.error), restricted: null }
  }
  const { compiled, text, files, problems } = resolved.value
  const scored = await work.score(compiled.pipeline, waiting)
  const session = read.origins.findIndex(
    (origin) => key !== null && origin.key === key && origin.inFile === inFile,
  )
  const permit = trust.git(dirname(files.domains.file.path))
  const saved = await savedOf(around, files, permit.ok ? around.git : null)
  const { labels } = read
  const restricted = permit.ok || !isRestricted(permit.error) ? null : formatProblem(permit.error)
  const rows = signalRows({ scored, labels, text, saved, session })
  return { configKey, rows, problems, restricted }
}

/** @param git null = git may not be asked, or there is no repository */
async function savedOf(
  { sides, blame }: Pick<SignalTable, 'sides' | 'blame'>,
  { config, domains }: ResolvedSide['files'],
  git: Git | null,
): Promise<SavedText | null> {
  const saved = await sides.saved(config)
  if (!saved.ok) return null
  const text = sides.read(saved.value.text)
  const { path } = domains.file
  if (git === null) return { text, times: null }
  const times = await getOrMake(blame, `${text.fingerprint} ${path}`, () => git.blame(path))
  return { text, times }
}

/** Turns on which a pattern matches that need not be in any file. */
async function matches(
  lab: LabService,
  { corpus: id, side, pattern, dialect, flags, most }: Input<'lab.matches'>,
  waiting: Waiting,
): Promise<Output<'lab.matches'>> {
  const { work, read } = lab.get(id)
  const { compiled } = await lab.resolve(side)
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

/** The label without its place, with the text that it is of. */
function textLabelOf(label: TurnLabel & { readonly source: string }, text: string): TextLabel {
  const { id, primary, acceptable, secondary, forbidden, note, by, source } = label
  const given = Object.entries({ id, primary, acceptable, secondary, forbidden, note, by, source })
  // The same judgement, without absent fields.
  return TextLabel.parse({
    type: 'text',
    text,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  })
}
