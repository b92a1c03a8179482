import { z } from 'zod'
import { wrongWords } from '../../../engine/lab/why/why-wrong.ts'
import { counted } from '../../../engine/result.ts'
import type { LabMetrics } from '../../../engine/schema/metrics.ts'
import { checkTurns } from '../../../host/check/lab/check-report.ts'
import { cutOffsOf, metricsOf } from '../../../host/flips/lab/flip-report.ts'
import { CommandError } from '../../kit/output.ts'
import { addressIn } from '../handle.ts'
import { OVER, UNDER, sideOf } from '../inputs.ts'
import { CURSOR, NEXT, clipped, pageFrom } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Wrong = z.object({
  turn: z.string(),
  text: z.string(),
  expected: z.string(),
  accepted: z.array(z.string()),
  got: z.string(),
  wrong: z.enum(['wrong-primary', 'forbidden-domain']),
  why: z.string(),
  because: z.array(z.string()).describe('Signals of the answer that fired.'),
})
type Wrong = z.infer<typeof Wrong>

const Output = z.object({
  labelled: z.int(),
  right: z
    .number()
    .describe('Labelled turns whose primary is their label or an accepted alternative.'),
  strict: z.number().describe('Labelled turns with exactly their label.'),
  macroF1: z.number().nullable(),
  domains: z.array(
    z.object({
      domain: z.string(),
      precision: z.number().nullable(),
      recall: z.number().nullable(),
      labelled: z.number(),
    }),
  ),
  wrongTotal: z.int().describe('With another primary, or a domain that the label forbids.'),
  forbidden: z.int().describe('Of these, by a forbidden domain.'),
  wrong: z.array(Wrong),
  cutOff: z.array(z.string()).describe('Patterns that ran out of time and count as not matched.'),
  notes: z.array(z.string()).describe('Labels and files that could not be used.'),
  ...NEXT,
})

/** `turnscope check`, and the figures of `turnscope evaluate`. */
export const checkLabels = tool({
  name: 'check_labels',
  title: 'Check labels',
  description:
    'Holds a configuration, or a draft, against labelled turns and texts: figures, and each wrong turn with what was expected, what was decided and why.',
  input: z.strictObject({ ...OVER, ...UNDER, ...CURSOR }),
  output: Output,
  hints: READS,
  run: async (desk, { paths, labels, cursor, ...under }, waiting) => {
    const side = await desk.resolve(sideOf(desk, under))
    const { read, work, errors } = await desk.corpora.open({ paths, labels }, side, waiting)
    const scored = await work.score(side.compiled.pipeline, waiting)
    const metrics = metricsOf(scored, read)
    if (metrics === null)
      throw new CommandError({
        what: 'no labelled turn was found',
        where: [...(paths ?? []), ...(labels ?? [])].join(', ') || 'labels of the workspace',
        do: 'Name a file of labels in `labels`, or a session that has labels beside it',
      })
    const turns = [...read.labels.keys()].toSorted((a, b) => a - b)
    const wrong = checkTurns(read, scored, side).flatMap((checked, at): readonly Wrong[] => {
      const turn = turns[at] ?? 0
      if (checked.wrong === null) return []
      const { expected, accepted, primary, secondary, why, because } = checked
      return [
        {
          turn: addressIn(read, desk.places, turn),
          text: clipped(read.corpus.turn(turn).text.slice(0, 2000), 160),
          expected,
          accepted: [...accepted].slice(0, 8),
          because: because.slice(0, 4),
          got: secondary === null ? primary : `${primary} + ${secondary}`,
          wrong: checked.wrong,
          why: clipped(wrongWords(expected, why), 200),
        },
      ]
    })
    const page = pageFrom(wrong, cursor, lineOf, 4200)
    const value = {
      ...figuresOf(metrics),
      wrongTotal: wrong.length,
      forbidden: wrong.filter((each) => each.wrong === 'forbidden-domain').length,
      wrong: [...page.shown],
      next: page.next,
      cutOff: cutOffsOf(scored, work)
        .slice(0, 5)
        .map(({ domain, pattern }) => `${domain}: ${clipped(pattern, 80)}`),
      notes: errors.slice(0, 5).map((error) => clipped(error, 160)),
    }
    return { value, text: wordsOf(value, page.lines) }
  },
})

/** Domains with figures; the ones with most labels. */
const MOST_DOMAINS = 12

function figuresOf({ labelled, withAlternatives, strict, macroF1, domains }: LabMetrics) {
  const short = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000)
  return {
    labelled,
    right: withAlternatives.hits,
    strict: strict.hits,
    macroF1: short(macroF1.value),
    domains: domains
      .toSorted((a, b) => b.recall.of - a.recall.of)
      .slice(0, MOST_DOMAINS)
      .map(({ domain, precision, recall }) => ({
        domain,
        precision: short(precision.value),
        recall: short(recall.value),
        labelled: recall.of,
      })),
  }
}

const lineOf = ({ turn, expected, got, wrong }: Wrong) =>
  `${turn}: expected ${expected}, got ${got}${wrong === 'forbidden-domain' ? ', which the label forbids' : ''}`

function wordsOf(value: z.infer<typeof Output>, lines: readonly string[]): string {
  const { labelled, right, strict, wrongTotal, forbidden, next, cutOff, notes } = value
  const ofThese = forbidden === 0 ? '' : `, ${forbidden} of them by a domain that the label forbids`
  return [
    `${right} of ${labelled} labelled turns have an accepted primary (${strict} exactly); ${counted(wrongTotal, 'turn')} wrong${ofThese}`,
    ...cutOff.map((pattern) => `ran out of time: ${pattern}`),
    ...notes,
    ...lines,
    ...(next === null ? [] : [`more: cursor "${next}"`]),
  ].join('\n')
}
