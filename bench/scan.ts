/** `npm run bench -- scan`: the default signals over 100,000 turns, against other ways to look for them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { DomainSet } from '../core/engine/matcher/domains.ts'
import {
  freezeReading,
  shareReading,
  thawReading,
} from '../core/engine/matcher/automaton/readings.ts'
import { prepareScan, scanText, warmUp } from '../core/engine/matcher/scan.ts'
import { compileSignal, testSignal } from '../core/engine/matcher/signal.ts'
import { createTextFacts } from '../core/engine/matcher/text-facts.ts'
import { automatonBytes, automatonOf } from '../core/host/automata/format.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { formatRatio, type Section } from './measure.ts'
import { runPython } from './python.ts'
import { bytesOf, defaultSignals, firstOf, secondsOf } from './scan-parts.ts'
import { measureShipped } from './shipped-automaton.ts'
import { prepareTableWalk } from './table-walk.ts'

const C_SOURCE = fileURLToPath(new URL('hyperscan/scan.c', import.meta.url))
const COMPILER = process.env['CC'] ?? 'cc'
/** Bytes for the slow ones: they would need hours for all. Every so many turns one is taken. */
const SAMPLE = {
  naive: 2_000_000,
  python: 200_000,
  hyperscan: 8_000_000,
  bound: 8_000_000,
} as const
const ROUNDS = 3

/** Evenly chosen texts of about so many bytes. */
function sample(texts: readonly string[], bytes: number): readonly string[] {
  const step = Math.max(1, Math.floor(bytesOf(texts) / bytes))
  return texts.filter((_, at) => at % step === 0)
}

interface Rival {
  readonly name: string
  /** MB/s of the rival, and of ours on the same texts. */
  readonly rate: number
  readonly ours: number
  readonly texts: number
  /** Texts on which the fired signals, or for Python the scores, differ. */
  readonly differ: number
}

interface Bench {
  readonly set: DomainSet
  /** Rate of ours on these texts, in MB/s. */
  readonly rateOfOurs: (texts: readonly string[]) => number
}

function countDiffering<T>(ours: readonly T[], theirs: readonly T[]): number {
  return ours.filter((one, at) => JSON.stringify(one) !== JSON.stringify(theirs[at])).length
}

const firedOn = (set: DomainSet, text: string): readonly number[] =>
  scanText(set.signals, createTextFacts(text)).fired

/**
 * One regular expression per signal, on the text in the form that the pattern needs: the exact method without a
 * prefilter.
 */
function benchNaive({ set, rateOfOurs }: Bench, all: readonly string[]): Rival {
  const texts = sample(all, SAMPLE.naive)
  const answers: Array<readonly number[]> = []
  const seconds = secondsOf(1, () => {
    for (const text of texts) {
      const facts = createTextFacts(text)
      answers.push(
        set.signals.flatMap((signal, number) => (testSignal(signal, facts) ? [number] : [])),
      )
    }
  })
  return {
    name: 'one RegExp a signal, one after the other',
    rate: bytesOf(texts) / 1e6 / seconds,
    ours: rateOfOurs(texts),
    texts: texts.length,
    differ: countDiffering(
      texts.map((text) => firedOn(set, text)),
      answers,
    ),
  }
}

function scoresOf(set: DomainSet, text: string): Readonly<Record<string, number>> {
  const fired = new Set(firedOn(set, text))
  const scores = set.domains.map(({ name, signals, firstSignal }) => {
    const count = signals.filter((_, index) => fired.has(firstSignal + index)).length
    return [name, count] as const
  })
  return Object.fromEntries(scores.filter(([, count]) => count > 0).sort())
}

function benchPython({ set, rateOfOurs }: Bench, all: readonly string[]): Rival | null {
  const texts = sample(all, SAMPLE.python)
  const domains = set.domains.map(({ name, signals }) => ({
    name,
    signals: signals.map((signal) => signal.pattern),
  }))
  const python = runPython({ domains, messages: texts, rounds: 1 })
  if (python === null) return null
  return {
    name: 'the document’s Python',
    rate: bytesOf(texts) / 1e6 / python.seconds,
    ours: rateOfOurs(texts),
    texts: texts.length,
    differ: countDiffering(
      texts.map((text) => scoresOf(set, text)),
      python.answers.map((scores) => Object.fromEntries(scores.toSorted())),
    ),
  }
}

const Ran = z.object({
  seconds: z.number(),
  compile: z.number(),
  prefiltered: z.number(),
  slow: z.number(),
  version: z.string(),
})

interface HyperscanRun {
  readonly rival: Rival
  readonly note: string
}

/** Null if it cannot be compiled: no C compiler, no libhyperscan-dev, no libpcre2-dev. */
function benchHyperscan({ set, rateOfOurs }: Bench, all: readonly string[]): HyperscanRun | null {
  const ascii = all.filter((text) => !/[^\0-\x7f]/.test(text))
  const texts = sample(ascii, SAMPLE.hyperscan)
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-hyperscan-'))
  const path = (name: string): string => join(folder, name)
  try {
    const libraries = ['-lhs', '-lpcre2-8']
    const options = { stdio: 'pipe', encoding: 'utf8' } as const
    try {
      execFileSync(COMPILER, ['-O2', '-o', path('scan'), C_SOURCE, ...libraries], options)
    } catch {
      return null
    }
    writeFileSync(path('patterns'), `${set.signals.map((one) => one.pattern).join('\n')}\n`)
    const parts = texts.map((text) => `${Buffer.byteLength(text)}\n${text}\n`)
    writeFileSync(path('texts'), parts.join(''))
    const files = [path('patterns'), path('texts'), path('hits')]
    const ran = Ran.parse(
      JSON.parse(execFileSync(path('scan'), [...files, String(ROUNDS)], options)),
    )
    const hits = readFileSync(path('hits'), 'utf8').split('\n').slice(0, texts.length)
    const theirs = hits.map((line) => line.split(' ').filter(Boolean).map(Number))
    const rival = {
      name: 'C over Hyperscan, ASCII turns',
      rate: bytesOf(texts) / 1e6 / ran.seconds,
      ours: rateOfOurs(texts),
      texts: texts.length,
      differ: countDiffering(
        texts.map((text) => firedOn(set, text)),
        theirs,
      ),
    }
    const note = `Hyperscan ${ran.version}: ${ran.prefiltered} patterns in prefilter mode with PCRE2 to verify, ${ran.slow} by PCRE2 alone; ${ran.compile.toFixed(1)} s to compile them`
    return { rival, note }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Creates automata of other lists until all earlier ones are evicted from memory (C12). */
function crowdOut(): void {
  for (const name of ['one', 'two', 'three'])
    warmUp(
      Array.from('abcdefgh', (letter) => {
        const entry = { pattern: `${name} ${letter}`, dialect: 'python' } as const
        const signal = compileSignal(entry, 'bench', { asciiBoundaries: false })
        if (!signal.ok) throw new Error(signal.error.what)
        return signal.value
      }),
    )
}

/**
 * Reads the first texts cold, again, with a list of the same signals as another preset has it (C12), and
 * with the automaton out of a file, as the next start has it (C14): no regular expression was run there.
 */
function benchCold({ signals }: DomainSet, all: readonly string[]): string {
  const texts = firstOf(all)
  const read = (list: DomainSet['signals']) => (): void => {
    for (const text of texts) {
      prepareScan(list)
      scanText(list, createTextFacts(text))
    }
  }
  const cold = secondsOf(1, read(signals))
  const warm = secondsOf(ROUNDS, read(signals))
  const other = secondsOf(1, read([...signals]))
  const frozen = freezeReading(signals)
  if (frozen === null) throw new Error('the default signals have no automaton')
  const bytes = automatonBytes(frozen)
  crowdOut()
  const compileSeconds = secondsOf(1, defaultSignals)
  const next = defaultSignals().signals
  const kept = secondsOf(1, () => {
    const read = automatonOf(bytes)
    if (read === null || !thawReading(read) || !shareReading(next))
      throw new Error('the automaton does not read for the signals that it was made of')
    for (const text of texts) scanText(next, createTextFacts(text))
  })
  const ratio = (seconds: number) => `${seconds.toFixed(2)} s (${formatRatio(seconds / warm)})`
  return `the first million characters: cold ${ratio(cold)}, warm ${warm.toFixed(2)} s, with a list of the same signals as another preset has it ${ratio(other)}, after a new start, with the automaton out of a file of ${(bytes.length / 1e6).toFixed(2)} MB, ${ratio(kept)}; compiling the signals takes ${compileSeconds.toFixed(2)} s`
}

/** Time of the tables alone for some of the texts, next to the whole scan of the same texts. */
function benchBound({ set, rateOfOurs }: Bench, all: readonly string[]): readonly string[] {
  const texts = sample(all, SAMPLE.bound)
  const { run, states } = prepareTableWalk(set.signals, texts)
  run()
  const rate = bytesOf(texts) / 1e6 / secondsOf(ROUNDS, run)
  const ours = rateOfOurs(texts)
  const name = `bound: the tables alone, ${states.join(' and ')} states, nothing reported`
  const cells = [rate.toPrecision(3), ours.toFixed(2), formatRatio(ours / rate)]
  return [name, String(texts.length), ...cells, '']
}

const SHIPPED_ROW = 'turnscope, all turns, a new installation: with the automaton that ships'

/** A turn on which anybody answers otherwise makes the benchmark fail. */
export async function benchScan(): Promise<Section> {
  const set = defaultSignals()
  const corpus = await makeCorpus(FULL_CORPUS)
  const texts = corpus.sessions.flatMap((turns) => turns.map((turn) => turn.text))
  const scanAll = (some: readonly string[]) => (): void => {
    for (const text of some) {
      prepareScan(set.signals)
      scanText(set.signals, createTextFacts(text))
    }
  }
  const shipped = measureShipped()
  const before = process.memoryUsage().rss
  const cold = benchCold(set, texts)
  const full = secondsOf(1, scanAll(texts))
  const memory = (process.memoryUsage().rss - before) / 1e6
  const rate = corpus.bytes / 1e6 / full
  const bench: Bench = {
    set,
    rateOfOurs: (some) => bytesOf(some) / 1e6 / secondsOf(ROUNDS, scanAll(some)),
  }
  const hyperscan = benchHyperscan(bench, texts)
  const python = benchPython(bench, texts)
  const rivals = [
    benchNaive(bench, texts),
    ...(python === null ? [] : [python]),
    ...(hyperscan === null ? [] : [hyperscan.rival]),
  ]
  return {
    title: `Matching: ${set.signals.length} signals over ${corpus.turns.toLocaleString('en')} turns, ${(corpus.bytes / 1e6).toFixed(1)} MB`,
    head: ['', 'turns', 'MB/s', 'turnscope on the same turns, MB/s', 'turnscope / it', 'differ'],
    rows: [
      [
        'turnscope, all turns, the automaton made meanwhile',
        String(corpus.turns),
        rate.toFixed(2),
        '',
        '',
        '',
      ],
      ...(shipped === null
        ? []
        : [[SHIPPED_ROW, String(corpus.turns), shipped.rate.toFixed(2), '', '', '']]),
      ...rivals.map((one) => [
        one.name,
        String(one.texts),
        one.rate.toPrecision(3),
        one.ours.toFixed(2),
        formatRatio(one.ours / one.rate),
        String(one.differ),
      ]),
      benchBound(bench, texts),
    ],
    notes: [
      corpus.origin,
      'MB/s of processor time; rivals run on evenly chosen turns, each beside turnscope on the same ones',
      shipped === null
        ? 'the automaton that ships was not measured: the build is not current'
        : `with the automaton that ships, in a process of its own: the first million characters ${shipped.first.toFixed(2)} s`,
      `${cold}; memory grew by ${memory.toFixed(0)} MB`,
      hyperscan?.note ?? 'Hyperscan was not run: no C compiler, libhyperscan-dev or libpcre2-dev',
      ...(python === null
        ? ['the document’s Python was not run: no ../shared/specs or no python3']
        : []),
    ],
    failed: rivals.some((one) => one.differ > 0),
  }
}
