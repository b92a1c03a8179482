/** Belief scoring: ours, the naive loop, and the document's Python, on the same messages in one run. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { extractCompound, scoreDomains } from '../core/engine/belief/score.ts'
import { createRules } from '../core/engine/belief/rules.ts'
import { compileDomains, type DomainSet } from '../core/engine/matcher/domains.ts'
import { loadDomains } from '../core/engine/matcher/load-domains.ts'
import { prepareScan, scanText } from '../core/engine/matcher/scan.ts'
import { createTextFacts } from '../core/engine/matcher/text-facts.ts'
import { createTimeLimit } from '../core/host/platform/guard/guard.ts'
import { loadPresetFile } from './preset.ts'
import { runPython } from './python.ts'
import { fastest, formatRatio, type Section } from './measure.ts'

const Vectors = z.object({
  domain_order: z.array(z.string()),
  domain_configs: z.record(z.string(), z.object({ signals: z.array(z.string()) })),
  messages: z.array(
    z.object({
      message: z.string(),
      scores: z.array(z.tuple([z.string(), z.number(), z.array(z.number())])),
      quirk: z.string().optional(),
    }),
  ),
})

const ROUNDS = 5
/** Longest message of this benchmark, in UTF-16 units: what people type and tools answer. */
const LONGEST = 2000
/** Messages under one time limit, about as many as the host processes in a slice of 10 ms. */
const SLICE = 400

type Scores = ReadonlyArray<readonly [string, number]>

function mismatches(answers: readonly Scores[], expected: readonly Scores[]): number {
  return expected.filter((scores, at) => JSON.stringify(scores) !== JSON.stringify(answers[at]))
    .length
}

/** Tests one RegExp per signal in sequence, like a plain transcription of the specification. */
function naiveScores(set: DomainSet): (message: string) => Scores {
  const domains = set.domains.map((domain) => ({
    name: domain.name,
    priority: domain.priority,
    signals: domain.signals.map((signal) => new RegExp(signal.pattern, 'i')),
  }))
  return (message) =>
    domains
      .map((one) => ({
        ...one,
        score: one.signals.filter((signal) => signal.test(message)).length,
      }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || a.priority - b.priority)
      .map((one) => [one.name, one.score] as const)
}

function ourScores(set: DomainSet): (message: string) => Scores {
  const rules = createRules(loadPresetFile('literal').belief, set)
  return (message) => {
    prepareScan(set.signals)
    const { fired } = scanText(set.signals, createTextFacts(message))
    const { scores } = extractCompound(scoreDomains(set, fired, new Map()), rules)
    return scores.map((one) => [one.domain, one.score] as const)
  }
}

export function benchBelief(): Section {
  const packed = readFileSync(new URL('../fixtures/vectors/bst_vectors.json.gz', import.meta.url))
  const vectors = Vectors.parse(JSON.parse(gunzipSync(packed).toString('utf8')))
  const domains = vectors.domain_order.map((name) => ({
    name,
    signals: vectors.domain_configs[name]?.signals ?? [],
  }))
  const file = loadDomains({ domains }, 'vectors')
  if (!file.ok) throw new Error('the vectors hold no domain file')
  const compiled = compileDomains(file.value, { asciiBoundaries: false })
  if (!compiled.ok) throw new Error('the signals of the vectors do not compile')
  const set = compiled.value
  const cases = vectors.messages.filter((one) => one.message.length <= LONGEST && !one.quirk)
  const messages = cases.map((one) => one.message)
  const expected = cases.map((one) => one.scores.map(([name, count]) => [name, count] as const))
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)

  const ours = ourScores(set)
  const limit = createTimeLimit()
  const every = (run: (message: string) => Scores) => () => {
    for (const message of messages) run(message)
  }
  const sliced = () => {
    for (let from = 0; from < messages.length; from += SLICE)
      limit(() => messages.slice(from, from + SLICE).map(ours), 10_000)
  }
  const naive = naiveScores(set)
  const rows = [
    { name: 'turnscope', run: every(ours), answer: ours },
    { name: 'turnscope, under the watchdog', run: sliced, answer: ours },
    { name: 'naive /i loop', run: every(naive), answer: naive },
  ].map(({ name, run, answer }) => ({
    name,
    seconds: fastest(ROUNDS, run),
    wrong: mismatches(messages.map(answer), expected),
  }))
  const python = runPython({ domains, messages, rounds: ROUNDS })
  if (python)
    rows.push({
      name: 'the document’s Python',
      seconds: python.seconds,
      wrong: mismatches(python.answers, expected),
    })
  const base = rows[0]?.seconds ?? 1
  return {
    title: `Belief scoring: ${messages.length} messages up to ${LONGEST} characters, ${set.signals.length} signals, ${(bytes / 1e6).toFixed(2)} MB`,
    head: [
      '',
      'MB/s of processor time',
      'messages/s',
      'time, turnscope = 1',
      'answers that differ from the vectors',
    ],
    rows: rows.map((row) => [
      row.name,
      (bytes / 1e6 / row.seconds).toFixed(2),
      Math.round(messages.length / row.seconds).toLocaleString('en'),
      formatRatio(row.seconds / base),
      String(row.wrong),
    ]),
    notes: python ? [] : ['the document’s Python was not run: no ../shared/specs or no python3'],
    failed: (rows[0]?.wrong ?? 1) > 0,
  }
}
