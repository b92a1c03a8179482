/**
 * The lab: edits one signal of the default domains and lists the flips over 100,000 turns. Every twentieth answer is
 * checked against a scan and a replay of all turns.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { stepBelief } from '../core/engine/belief/step.ts'
import { createCorpus, type Corpus, type ScoredCorpus } from '../core/engine/lab/corpus/corpus.ts'
import { diffCorpus } from '../core/engine/lab/flips/flips.ts'
import { createScorer, type Scorer } from '../core/engine/lab/scoring/score-corpus.ts'
import { compileDomains } from '../core/engine/matcher/domains.ts'
import { loadDomains } from '../core/engine/matcher/load-domains.ts'
import { compileSignal, testSignal } from '../core/engine/matcher/signal.ts'
import {
  createPipeline,
  initialBeliefState,
  prepareTurn,
  type Pipeline,
} from '../core/engine/pipeline.ts'
import { packTurns } from '../core/host/corpus/lab/packed-turns.ts'
import type { Problem, Result } from '../core/engine/result.ts'
import type { DomainFile, SignalEntry } from '../core/engine/schema/domain.ts'
import type { BeliefOptions } from '../core/engine/schema/preset.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { seeded } from './made-up-sessions.ts'
import { heldBytes, median, p95, type Section } from './measure.ts'
import { loadPresetFile } from './preset.ts'

const EDITS = 200
const CHECK_EVERY = 20
const MB = 1e6
const DOMAINS = new URL('../profiles/domains/default.yaml', import.meta.url)

function must<T>(result: Result<T, Problem | readonly Problem[]>): T {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}

/** Like the host: a signal that both texts contain is compiled once. */
function createCompiler(): (file: DomainFile, options?: Partial<BeliefOptions>) => Pipeline {
  const preset = loadPresetFile('recommended')
  const compiled = new Map<string, ReturnType<typeof compileSignal>>()
  const compile: typeof compileSignal = (entry, where, options) => {
    const key = JSON.stringify([entry, options])
    const known = compiled.get(key) ?? compileSignal(entry, where, options)
    compiled.set(key, known)
    return known
  }
  return (file, options = {}) => {
    const belief = { ...preset.belief, ...options }
    const { asciiBoundaries } = belief
    const set = must(compileDomains(file, { asciiBoundaries }, compile))
    return must(createPipeline(set, { ...preset, belief }, null))
  }
}

type Kind = 'rare word' | 'common word' | 'alternation' | 'across words' | 'no literal' | 'deletion'

/** Patterns as users type them; `word` is a word of the corpus. */
const PATTERNS: Readonly<
  Record<Exclude<Kind, 'deletion'>, (word: string, other: string) => string>
> = {
  'rare word': (word, other) => String.raw`\b${word}${other}\b`,
  'common word': (word) => String.raw`\b${word}s?\b`,
  alternation: (word, other) => String.raw`\b(?:${word}|${other}(?:ed|ing)?|no ${word})\b`,
  'across words': (word, other) => String.raw`\b${word}\b.{0,40}\b${other}`,
  'no literal': (word) => String.raw`(?:^|\s)\W{2,${(word.length % 5) + 3}}\d`,
}
const KINDS: readonly Kind[] = [
  'rare word',
  'common word',
  'alternation',
  'common word',
  'alternation',
  'across words',
  'rare word',
  'deletion',
  'across words',
  'no literal',
] as const

interface Edit {
  readonly kind: Kind
  readonly file: DomainFile
}

/** The same edits in every run over the same corpus. */
function* edits(file: DomainFile, corpus: Corpus): Generator<Edit, void, undefined> {
  const random = seeded(811)
  const below = (most: number): number => Math.floor(random() * most)
  const word = (): string => {
    for (;;) {
      const words = corpus.turn(below(corpus.turns)).text.match(/\b[A-Za-z]{3,12}\b/g) ?? []
      const one = words[below(words.length)]
      if (one !== undefined) return one.toLowerCase()
    }
  }
  for (let edit = 0; edit < EDITS; edit += 1) {
    const kind = KINDS[edit % KINDS.length] ?? 'deletion'
    const target = below(file.domains.length)
    const put = kind === 'deletion' ? [] : [PATTERNS[kind](word(), word())]
    const domains = file.domains.map((domain, at) => {
      if (at !== target) return domain
      const signals: SignalEntry[] = [...domain.signals]
      signals.splice(below(signals.length), 1, ...put)
      return { ...domain, signals }
    })
    yield { kind, file: { ...file, domains } }
  }
}

/** Milliseconds: of the processor, and of the clock; the longest step between two breaths. */
interface Cost {
  readonly cpu: number
  readonly wall: number
  readonly step: number
  /** Processor time until the first flips can be shown, or all flips if they are ready sooner (L106). */
  readonly first: number
}

/** As the lab does: an answer that is there sooner has no beginning that is shown before it. */
const EARLY_MS = 40

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function run<T>(work: Generator<unknown, T>): { readonly value: T; readonly step: number } {
  let step = 0
  for (;;) {
    const start = performance.now()
    const next = work.next()
    step = Math.max(step, performance.now() - start)
    if (next.done === true) return { value: next.value, step }
  }
}

interface Flipped {
  readonly scored: ScoredCorpus
  readonly flips: ReturnType<typeof diffCorpus>
  /** Those that were shown before all were there. */
  readonly early: ReturnType<typeof diffCorpus>['flips'] | null
  readonly cost: Cost
}

/** From a changed configuration to the complete list of flips. */
function flip(scorer: Scorer, base: ScoredCorpus, pipeline: () => Pipeline): Flipped {
  const cpu = processorTime()
  const wall = performance.now()
  const told: { first: number; early: Flipped['early'] } = { first: Infinity, early: null }
  const onPart = (part: ScoredCorpus, until: number): boolean => {
    if (performance.now() - wall < EARLY_MS) return false
    const { flips } = diffCorpus(base, part, new Map(), { until })
    if (flips.length === 0) return false
    told.first = processorTime() - cpu
    told.early = flips
    return true
  }
  const { value: scored, step } = run(scorer.score(pipeline(), { previous: base, onPart }))
  const flips = diffCorpus(base, scored, new Map())
  const all = processorTime() - cpu
  const cost = { cpu: all, wall: performance.now() - wall, step, first: Math.min(told.first, all) }
  return { scored, flips, early: told.early, cost }
}

/** Runs the signals added by the edit on every text. Returns true if their matches agree with the scorer. */
function hitsAreTrue(base: ScoredCorpus, { scored }: Flipped): boolean {
  const { corpus, pipeline } = scored
  const known = new Set(base.pipeline.signals)
  const came = [...pipeline.signals.entries()].filter(([, signal]) => !known.has(signal))
  return came.every(([number, signal]) => {
    const turns: number[] = []
    for (let turn = 0; turn < corpus.turns; turn += 1)
      if (testSignal(signal, prepareTurn(pipeline, corpus.turn(turn).text).facts)) turns.push(turn)
    return isDeepStrictEqual(turns, [...scored.posting(number)])
  })
}

/** Every turn decided again, one after the other, and compared with the base. */
function decisionsAreTrue(base: ScoredCorpus, { scored, flips }: Flipped): boolean {
  const { corpus, pipeline, domains } = scored
  const changed: number[] = []
  let equal = true
  for (const { first, turns } of corpus.sessions) {
    let state = initialBeliefState
    for (let turn = first; turn < first + turns.length; turn += 1) {
      const { primary, secondary, plan, ...rest } = stepBelief(
        pipeline.belief,
        state,
        scored.fired(turn),
      )
      state = rest.state
      const enriched = (plan.primary_enrichment ? 1 : 0) + (plan.secondary_enrichment ? 2 : 0)
      const names = (of: ScoredCorpus) => [
        of.domains[of.primary[turn] ?? -1],
        of.domains[of.secondary[turn] ?? -1],
        of.enriched[turn],
      ]
      const own = [primary.domain, secondary?.domain, enriched]
      if (!isDeepStrictEqual(own, names(scored))) equal = false
      if (!isDeepStrictEqual(own, names(base))) changed.push(turn)
    }
  }
  return equal && domains.length > 0 && isDeepStrictEqual(changed, [...flips.changed])
}

/** The flips that are shown first are those that the whole list begins with. */
function isBeginning({ early, flips }: Flipped): boolean {
  return early === null || isDeepStrictEqual(early, flips.flips.slice(0, early.length))
}

function rowOf(name: string, costs: readonly Cost[]): readonly string[] {
  const show = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  const of = (pick: (cost: Cost) => number, by: (values: readonly number[]) => number) =>
    show(by(costs.map(pick)))
  return [
    name,
    String(costs.length),
    of(({ first }) => first, median),
    of(({ first }) => first, p95),
    of(({ cpu }) => cpu, median),
    of(({ cpu }) => cpu, p95),
    of(({ wall }) => wall, median),
    of(({ wall }) => wall, p95),
    of(
      ({ step }) => step,
      (values) => Math.max(...values),
    ),
  ]
}

async function loadCorpus(): Promise<{ readonly corpus: Corpus; readonly origin: string }> {
  const { sessions, origin } = await makeCorpus(FULL_CORPUS)
  // Texts come from a decoder, each on its own; recombined ones are pieces of their sources.
  const flat = (text: string) => Buffer.from(text).toString()
  const listed = sessions.map((turns, at) => ({
    id: `corpus-${at}`,
    turns: packTurns(turns.map(({ kind, text }, seq) => ({ seq, kind, text: flat(text) }))),
  }))
  return { corpus: createCorpus(listed), origin }
}

const OPTIONS: ReadonlyArray<Partial<BeliefOptions>> = [
  ...[2, 4, 5, 6].map((momentumThreshold) => ({ momentumThreshold })),
  ...[1, 2, 3].map((decayAfterTurns) => ({ decayAfterTurns })),
  ...[1, 3].map((maxResistedTurns) => ({ maxResistedTurns })),
  { stickyPrimary: true },
  { challengerWinsTies: true },
  { secondaryMinSignals: 2 },
]

export async function benchEdit(): Promise<Section> {
  const empty = heldBytes()
  const { corpus, origin } = await loadCorpus()
  const withTexts = heldBytes()
  const file = must(loadDomains(parse(readFileSync(DOMAINS, 'utf8')), 'default'))
  const compile = createCompiler()
  const scorer = createScorer(corpus)
  const start = processorTime()
  const base = run(scorer.score(compile(file))).value
  const scanned = processorTime()
  const withBase = heldBytes()
  const first = flip(scorer, base, () => compile({ ...file, domains: file.domains.slice(1) }))
  const costs = new Map<string, Cost[]>()
  const add = (name: string, { cost }: Flipped): void => {
    costs.set(name, [...(costs.get(name) ?? []), cost])
  }
  // The index of words is built at the first pattern that is new.
  const indexing = processorTime()
  flip(scorer, base, () => compile(withPattern(file, 'zebra')))
  const indexed = processorTime()
  let wrong = 0
  let checked = 0
  for (const [at, { kind, file: edited }] of [...edits(file, corpus)].entries()) {
    const flipped = flip(scorer, base, () => compile(edited))
    add('all edits', flipped)
    add(kind, flipped)
    if (!isBeginning(flipped)) wrong += 1
    if (at % CHECK_EVERY !== 0) continue
    checked += 1
    if (!hitsAreTrue(base, flipped) || !decisionsAreTrue(base, flipped)) wrong += 1
  }
  for (const options of OPTIONS)
    add(
      'option',
      flip(scorer, base, () => compile(file, options)),
    )
  for (const [at, domain] of file.domains.entries()) {
    const moved = { ...domain, priority: 50 - at }
    const domains = file.domains.map((one) => (one === domain ? moved : one))
    add(
      'priority',
      flip(scorer, base, () => compile({ ...file, domains })),
    )
  }
  const size = scorer.size()
  const aTurn = (bytes: number) => String(Math.round(bytes / corpus.turns))
  const beside = heldBytes() - withBase
  const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`
  return {
    title: `Edit to complete flips, ${corpus.turns} turns, ${(corpus.chars / MB).toFixed(0)} million characters, ${base.pipeline.signals.length} signals; milliseconds`,
    head: [
      '',
      'n',
      'first flips, CPU, median',
      'p95',
      'all flips, CPU, median',
      'p95',
      'clock, median',
      'p95',
      'longest step',
    ],
    rows: [...costs].map(([name, list]) => rowOf(name, list)),
    notes: [
      origin,
      `once: full scan and fold ${((scanned - start) / 1000).toFixed(1)} s, index of words ${((indexed - indexing) / 1000).toFixed(1)} s of processor time`,
      `kept: index of words ${megabytes(size.index)}, matches ${megabytes(size.postings)}, skeletons of texts that are not ASCII ${megabytes(size.texts)}`,
      `memory a turn, after all edits: texts ${aTurn(withTexts - empty)} bytes; index of words, skeletons and answers ${aTurn(beside)}`,
      `an edit includes compiling the edited signal; a domain taken away: ${first.cost.cpu.toFixed(0)} ms`,
      `${checked} answers checked turn by turn, new signals on every text, all first flips against the whole list: ${wrong} differ; aims on processor time: first flips p95 100, all flips p95 200, median 25`,
    ],
    failed: wrong > 0,
  }
}

function withPattern(file: DomainFile, pattern: string): DomainFile {
  const [head, ...rest] = file.domains
  if (head === undefined) return file
  return { ...file, domains: [{ ...head, signals: [...head.signals, pattern] }, ...rest] }
}
