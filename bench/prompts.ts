/**
 * Self-signals and queries against the document's Python, in one run and with equal answers.
 * Absolute times are of this machine; the ratios are what counts.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { classifyQuery } from '../core/engine/query/classify.ts'
import { readResponse } from '../core/engine/self-signal/response.ts'
import { promptPreset, readVectors } from '../fixtures/prompt-vectors.ts'
import type { Section } from './measure.ts'

const SPEC = fileURLToPath(new URL('../../shared/specs/oracle-agent.md', import.meta.url))
const DRIVER = fileURLToPath(new URL('./oracle_reference.py', import.meta.url))
const KB = 1024
const MB = KB * KB

interface Query {
  readonly query: string
  readonly context: string | null
}
type Case = {
  readonly name: string
  /** Runs, of which the best counts. */
  readonly repeat: number
  /** Too slow for the document's code: hours, not seconds. */
  readonly oursOnly?: boolean
  /** Most milliseconds that we allow ourselves for one response. */
  readonly limit?: number
} & ({ readonly responses: readonly string[] } | { readonly queries: readonly Query[] })

const BLOCK = `<signal type="stuck">
  <attempted>["vault_search", "code_search"]</attempted>
  <blocker>No deployment logs in any source</blocker>
  <confidence>0.7</confidence>
</signal>`
const OPEN = '<signal type="need_turn">'

function prose(size: number): string {
  const line = 'The handler in `src/auth.ts` checks <T> first, then asks the cache for the user.\n'
  return `${line.repeat(Math.ceil(size / line.length)).slice(0, size)}\n\n${BLOCK}`
}

/** A response comes from a decoder as one flat string; `repeat` would give a tree of pieces. */
function fill(part: string, size: number): string {
  return Buffer.from(repeated(part, size)).toString()
}

function repeated(part: string, size: number): string {
  return part.repeat(Math.ceil(size / part.length)).slice(0, size)
}

const vectors = {
  signal: readVectors<{ responses: ReadonlyArray<{ response: string }> }>('signal'),
  query: readVectors<{ queries: readonly Query[] }>('query'),
}

function adversarial(size: number, limit: number): readonly Case[] {
  const label = size >= MB ? `${size / MB} MB` : `${size / KB} KB`
  const small = size < MB
  const shapes: ReadonlyArray<readonly [string, string, boolean]> = [
    ['opener and blanks', OPEN + fill(' ', size), true],
    ['openers, no close', fill(OPEN, size), !small],
    ['openers cut off', fill('<signal ', size), !small],
    ['open quotes', fill('<signal type="', size), !small],
    ['fields, no close', `${OPEN}${fill('<a><b>', size)}</signal>`, true],
    ['blocks side by side', fill(`${OPEN}</signal>`, size), !small],
    ['fences and blocks', fill(`\`\`\`\n${OPEN}</signal>\n\`\`\`\n`, size), !small],
    ['deep brackets', `${OPEN}<x>${fill('[', size / 2)}${fill(']', size / 2)}</x></signal>`, true],
    ['angle brackets', fill('<', size), false],
  ]
  return shapes.map(([name, text, oursOnly]) => ({
    name: `${label} ${name}`,
    responses: [Buffer.from(text).toString()],
    repeat: small ? 5 : 3,
    oursOnly,
    limit,
  }))
}

const cases: readonly Case[] = [
  { name: '10 KB prose and a signal', responses: [prose(10 * KB)], repeat: 50, limit: 1 },
  {
    name: '10 KB prose, no signal',
    responses: [prose(10 * KB).slice(0, 10 * KB)],
    repeat: 50,
    limit: 1,
  },
  { name: '10 MB prose and a signal', responses: [prose(10 * MB)], repeat: 5, limit: 300 },
  {
    name: 'all golden responses',
    responses: vectors.signal.responses.map(({ response }) => response),
    repeat: 5,
  },
  { name: '800 blanks after an opener', responses: [OPEN + fill(' ', 800)], repeat: 1, limit: 1 },
  ...adversarial(10 * KB, 1),
  ...adversarial(10 * MB, 300),
  { name: 'all golden queries', queries: vectors.query.queries, repeat: 10 },
]

const preset = { literal: promptPreset('literal'), recommended: promptPreset('recommended') }

function answers(item: Case): readonly unknown[] {
  if ('queries' in item)
    return item.queries.map(({ query, context }) => {
      const { type, confidence, keywords } = classifyQuery(query, context, preset.literal.query)
      return [type, confidence, keywords]
    })
  return item.responses.map((response) => {
    const { signal, stripped } = readResponse(response, preset.literal.selfSignal)
    if (signal === null) return [null, stripped]
    const { type, confidence, fields, raw_xml: raw_xml } = signal
    return [{ type, confidence, fields, raw_xml }, stripped]
  })
}

/** Best of the runs, milliseconds for all items of the case. */
function time(item: Case, name: keyof typeof preset): number {
  const { selfSignal, query: queryOptions } = preset[name]
  const run = () => {
    if ('queries' in item)
      for (const { query, context } of item.queries) classifyQuery(query, context, queryOptions)
    else for (const response of item.responses) readResponse(response, selfSignal)
  }
  // Python's regular expressions are compiled before its first run too: both get a warm start.
  const warm = 'responses' in item && (item.responses[0]?.length ?? 0) < MB ? 30 : 1
  for (let round = 0; round < warm; round++) run()
  let best = Infinity
  for (let round = 0; round < item.repeat * 3; round++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

interface Reference {
  readonly pydantic: string
  readonly python: string
  readonly cases: ReadonlyArray<{ name: string; ms: number; answers: readonly unknown[] }>
}

function reference(): Reference | null {
  if (!existsSync(SPEC)) return null
  const input = JSON.stringify({
    spec: SPEC,
    cases: cases.filter((item) => item.oursOnly !== true),
  })
  const run = spawnSync('python3', [DRIVER], { input, maxBuffer: 512 * MB, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`python3: ${run.error?.message ?? run.stderr.slice(-2000)}`)
  return JSON.parse(run.stdout) as Reference // written by our own driver
}

interface Measured {
  readonly row: readonly string[]
  /** Answers differ from the document's. */
  readonly different: boolean
  readonly notes: readonly string[]
}

function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 3 : 1)
}

function measure(item: Case, document: Reference | null): Measured {
  const theirs = document?.cases.find(({ name }) => name === item.name)
  const own = { literal: time(item, 'literal'), recommended: time(item, 'recommended') }
  const equal =
    theirs === undefined
      ? null
      : isDeepStrictEqual(JSON.parse(JSON.stringify(answers(item))), theirs.answers)
  const slow = item.limit !== undefined && Math.max(own.literal, own.recommended) > item.limit
  const perSecond = (count: number, ms: number) =>
    Math.round((count / ms) * 1000).toLocaleString('en')
  return {
    row: [
      item.name,
      theirs === undefined ? '' : milliseconds(theirs.ms),
      milliseconds(own.literal),
      milliseconds(own.recommended),
      theirs === undefined ? '' : (theirs.ms / own.literal).toFixed(1),
      equal === null ? 'not run there' : equal ? 'equal' : 'DIFFERENT',
    ],
    different: equal === false,
    notes: [
      ...(slow ? [`${item.name}: over ${item.limit ?? 0} ms`] : []),
      ...('queries' in item
        ? [
            `queries per second: ${perSecond(item.queries.length, own.literal)} literal, ${perSecond(item.queries.length, own.recommended)} recommended`,
          ]
        : []),
    ],
  }
}

export function benchPrompts(): Section {
  const document = reference()
  const measured = cases.map((item) => measure(item, document))
  return {
    title: 'Self-signals and queries, milliseconds, best run',
    head: ['', 'Python', 'literal', 'recommended', 'Python / literal', 'answers'],
    rows: measured.map(({ row }) => row),
    notes: [
      document === null
        ? 'the document’s Python was not run: no ../shared/specs'
        : `Python ${document.python}, pydantic: ${document.pydantic}; a stand-in is slower than the installed one`,
      ...measured.flatMap(({ notes }) => notes),
    ],
    failed: measured.some(({ different }) => different),
  }
}
