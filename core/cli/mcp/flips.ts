import { z } from 'zod'
import type { CorpusFlip, FlipReport } from '../../engine/schema/lab.ts'
import { flipReport } from '../../host/flips/lab/flip-report.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import type { LabCorpus } from '../lab/lab-corpus.ts'
import { addressIn } from './handle.ts'
import { NEXT, clipped, pageOf, startOf } from './page.ts'
import type { Places } from './places.ts'

const Row = z.object({
  turn: z.string(),
  before: z.string(),
  after: z.string(),
  cause: z.enum(['direct', 'momentum']),
  label: z.enum(['fixed', 'broken', 'still_right', 'still_wrong']).nullable(),
  signals: z.array(z.string()).describe('Signals that fire on one side only, with + or -.'),
  text: z.string(),
})
type Row = z.infer<typeof Row>

const Right = z.object({ right: z.number(), of: z.number() }).nullable()

/** Turns that two configurations decide differently, and how the labels judge them. */
export const FLIPS = {
  turns: z.int(),
  flips: z.int().describe('Turns that are decided differently.'),
  direct: z.int(),
  byMomentum: z.int(),
  fixed: z.int().describe('Labelled turns that become right.'),
  broken: z.int().describe('Labelled turns that become wrong.'),
  labels: z.object({ before: Right, after: Right }),
  pairs: z.array(z.object({ from: z.string(), to: z.string(), turns: z.int() })),
  rows: z.array(Row).describe('Broken ones first, then fixed ones, then the rest.'),
  cutOff: z.array(z.string()).describe('Patterns that ran out of time and count as not matched.'),
  notes: z.array(z.string()),
  ...NEXT,
}
type Flips = { readonly [K in keyof typeof FLIPS]: z.infer<(typeof FLIPS)[K]> }

const ORDER = { broken: 0, fixed: 1, still_wrong: 2, still_right: 3 } as const
const pair = ({ primary, secondary }: CorpusFlip['before']) =>
  secondary === null ? primary : `${primary} + ${secondary}`

interface Asked {
  readonly corpus: LabCorpus
  readonly base: ResolvedSide
  readonly side: ResolvedSide
  readonly places: Places
  readonly cursor: string | undefined
  readonly waiting: Waiting
}

/** [F160] The flips of `turnscope diff`, those that labels speak of first. */
export async function flipsBetween({ corpus, base, side, places, cursor, waiting }: Asked) {
  const { read, work } = corpus
  const comparison = { work, read, classify: read.classify, compileMs: 0, most: read.corpus.turns }
  const report = await flipReport(comparison, { base, side }, waiting)
  const start = startOf(cursor)
  const ordered = report.flips
    .toSorted((a, b) => ORDER[a.verdict ?? 'still_right'] - ORDER[b.verdict ?? 'still_right'])
    .slice(start, start + MOST)
  const rows = ordered.map((flip) => rowOf(flip, corpus, places))
  const page = pageOf(rows, lineOf, {
    from: start,
    room: 4400,
    more: report.total > start + rows.length,
  })
  const value = { ...sumsOf(report, corpus), rows: [...page.shown], next: page.next }
  return { value, text: wordsOf(value, page.lines) }
}

/** Rows that are made of one answer; fewer fit. */
const MOST = 40

function rowOf(flip: CorpusFlip, { read }: LabCorpus, places: Places): Row {
  const { session, turn, before, after, cause, verdict, gained, lost } = flip
  const number = (read.corpus.sessions[session]?.first ?? 0) + turn
  const signals = [...gained.map((name) => `+${name}`), ...lost.map((name) => `-${name}`)]
  return {
    turn: addressIn(read, places, number),
    before: pair(before),
    after: pair(after),
    cause,
    label: verdict,
    signals: signals.slice(0, 4),
    text: clipped(read.corpus.turn(number).text.slice(0, 1000), 100),
  }
}

function sumsOf(report: FlipReport, { errors }: LabCorpus) {
  const rightOf = (metrics: FlipReport['before']) =>
    metrics === null
      ? null
      : { right: metrics.withAlternatives.hits, of: metrics.withAlternatives.of }
  const kinds = report.otherKinds.map(
    (side) => `${side} classifies other kinds of events: turns that only it has are left out`,
  )
  return {
    turns: report.turns,
    flips: report.total,
    direct: report.direct,
    byMomentum: report.momentum,
    fixed: report.fixed,
    broken: report.broken,
    labels: { before: rightOf(report.before), after: rightOf(report.after) },
    pairs: report.cells.slice(0, 6).map(({ from, to, count }) => ({ from, to, turns: count })),
    cutOff: report.cutOffs
      .slice(0, 5)
      .map(({ domain, pattern }) => `${domain}: ${clipped(pattern, 80)}`),
    notes: [...kinds, ...errors.slice(0, 4).map((error) => clipped(error, 160))],
  }
}

const lineOf = ({ turn, before, after, cause, label }: Row) =>
  `${turn} ${before} -> ${after}, ${cause}${label === null ? '' : `, ${label.replace('_', ' ')}`}`

function wordsOf(value: Flips, lines: readonly string[]): string {
  const { flips, turns, direct, byMomentum, fixed, broken, labels, next, cutOff, notes } = value
  const { before, after } = labels
  return [
    `${flips} of ${turns} turns flip: ${direct} direct, ${byMomentum} by momentum; ${fixed} fixed, ${broken} broken by labels`,
    ...(before === null || after === null
      ? []
      : [
          `labels right: ${before.right} of ${before.of} before, ${after.right} of ${after.of} after`,
        ]),
    ...cutOff.map((pattern) => `ran out of time: ${pattern}`),
    ...notes,
    ...lines,
    ...(next === null ? [] : [`more: cursor "${next}"`]),
  ].join('\n')
}
