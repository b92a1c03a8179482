import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { basisOf } from '../../engine/lab/metrics/basis.ts'
import { measureFolds, splitSources } from '../../engine/lab/metrics/fold-metrics.ts'
import { leadOf } from '../../engine/belief/ambiguity.ts'
import { type LedTurn, riskCoverage } from '../../engine/lab/metrics/abstain.ts'
import { initialBeliefState, type Pipeline, stepTurn } from '../../engine/pipeline.ts'
import { parseJson } from '../../engine/result.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { readText } from '../../host/platform/files/regular-file.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { offerAutomaton } from '../../host/automata/current.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { createTimeLimit, moreTime, watchText } from '../../host/platform/guard/guard.ts'
import { compilePipeline } from '../../host/rules/pipelines.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { sayingRun } from '../kit/cut-offs.ts'
import { type FigureNotes, abstainLines, figureLines } from './evaluate-text.ts'
import { HOME } from '../../place.ts'
import { CONFIG, type Given, JSON_LINE, flag, parsed } from '../kit/options.ts'
import { CommandError, print, valueOrFail } from '../kit/output.ts'

/** One labeled text. `source_repo` is used if `source` is missing. Other members are ignored. */
const Row = z
  .object({
    text: z.string(),
    primary: z.string(),
    acceptable: z.array(z.string()).default([]),
    source: z.string().optional(),
    source_repo: z.string().optional(),
    fold: z.union([z.number(), z.string()]).nullish(),
  })
  .transform((row, context) => {
    const source = row.source ?? row.source_repo
    if (source === undefined) {
      context.addIssue({ code: 'custom', message: 'a source is needed' })
      return z.NEVER
    }
    const { text, primary, acceptable } = row
    return {
      text,
      primary,
      acceptable,
      source,
      fold: row.fold === null || row.fold === undefined ? null : String(row.fold),
    }
  })
/** One labelled text with its source. */
export type LabelledRow = z.output<typeof Row>

/** Labeled rows of a file of JSON lines. Lines that are not labeled rows are counted. */
export function labelledRows(content: string): {
  readonly rows: readonly LabelledRow[]
  skipped: number
} {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  const rows = lines.flatMap((line) => {
    const parsed = parseJson(line)
    const row = parsed.ok ? Row.safeParse(parsed.value) : null
    return row?.success === true ? [row.data] : []
  })
  return { rows, skipped: lines.length - rows.length }
}

function share(value: string): number {
  const number = Number(value)
  if (number > 0 && number <= 1) return number
  throw new InvalidArgumentError('A share above 0 and up to 1 is needed, for example 0.915.')
}

const OPTIONS = {
  agreement: parsed('--agreement <share>', 'share on which two readers agree, the ceiling', share),
  madeFrom: flag('--made-from', 'say that the signals were written or chosen on these turns'),
  abstain: flag('--abstain', 'also: what abstaining below a margin would answer, and get right'),
  ...JSON_LINE,
  ...CONFIG,
}

/** The judgement of one text. */
export type Judgement = Pick<LedTurn, 'predicted' | 'lead'>

/** [L70] The judgement of each row, every text on its own. */
export function judged(
  rows: readonly LabelledRow[],
  classify: (text: string) => Judgement,
): readonly LedTurn[] {
  return rows.map(({ text, primary, acceptable, source, fold }) => ({
    source,
    fold,
    expected: primary,
    alternatives: acceptable,
    ...classify(text),
  }))
}

interface Classifier {
  readonly classify: (text: string) => Judgement
  /** [L101] Sources that the domain file says its signals were made from. */
  readonly madeFrom: readonly string[]
}

/** Classifies one text alone, under the watchdog. */
async function classifier(given: Given<typeof CONFIG>): Promise<Classifier> {
  const { preset, domains, profile } = given
  const config = { preset, domains, profile: profile ?? null, classify: null }
  beginWithAutomata()
  const files = valueOrFail(await loadConfigOrPaths(openWorkspace(given.workspace, HOME), config))
  const { pipeline }: { readonly pipeline: Pipeline } = valueOrFail(compilePipeline(files))
  offerAutomaton(pipeline.signals)
  const cutOffs = await sayingRun(files)
  const { madeFrom } = pipeline.belief.set
  const classify = (text: string): Judgement => {
    const more = (): ReturnType<typeof moreTime.allPatterns> => moreTime.allPatterns(text.length)
    const { guard } = watchText(createTimeLimit(), more, cutOffs.budget)
    const { scored } = stepTurn(cutOffs.without(pipeline), initialBeliefState, text, guard)
    return { predicted: scored.primary.domain, lead: leadOf(scored) }
  }
  return { classify, madeFrom }
}

/** [L70] `evaluate FILE…`: what labelled texts say of the signals, by fold, domain and source. */
export const evaluateLabels = command({
  name: 'evaluate',
  summary: 'hold signals against labelled texts: by fold, domain and source, with intervals',
  args: [['<file...>', 'JSON lines: {"text", "primary", "acceptable"?, "source", "fold"?}']],
  options: OPTIONS,
  run: async (given, files) => {
    const { classify, madeFrom } = await classifier(given)
    for (const file of files) {
      const content = await readText(file).catch((error: unknown) => {
        throw new CommandError({
          what: `the file cannot be read (${error instanceof Error ? error.message : String(error)})`,
          where: file,
          do: 'Check that it is a file, and may be read by you',
        })
      })
      const { rows, skipped } = labelledRows(content)
      const turns = judged(rows, classify)
      const about: FigureNotes = {
        name: file,
        skipped,
        split: splitSources(turns),
        madeFrom: given.madeFrom === true,
        agreement: given.agreement ?? null,
        basis: basisOf(turns, madeFrom, []).madeFrom,
      }
      const figures = measureFolds(turns)
      const abstain = given.abstain === true ? riskCoverage(turns) : null
      const text =
        given.json === true
          ? jsonLine({ ...about, ...figures, ...(abstain === null ? {} : { abstain }) })
          : [...figureLines(figures, about), ...abstainLines(abstain ?? [])].join('\n')
      await print(`${text}\n`)
    }
  },
})
