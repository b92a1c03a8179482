import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import {
  firstMatch,
  measure,
  mostFrequent,
  type LabelledTurn as Judged,
  type Metrics,
} from '../core/engine/lab/metrics/metrics.ts'
import { initialBeliefState, stepTurn, type Pipeline } from '../core/engine/pipeline.ts'

const ROOT = join(import.meta.dirname, '..')
const LABELLED = join(ROOT, 'fixtures/labelled')
const SESSIONS = join(ROOT, '../shared/sessions')

const Labels = {
  id: z.string(),
  primary: z.string(),
  acceptable: z.array(z.string()),
  secondary: z.string().nullable(),
}
const WrittenRow = z.object({ ...Labels, text: z.string() })
const RealRow = z.object({ ...Labels, file: z.string(), locator: z.unknown(), sha256: z.string() })
const Extractor = z.object({
  extractText: z.custom<(content: string, locator: unknown) => string | null>(
    (value) => typeof value === 'function',
  ),
})

export const PARTS = ['real', 'written'] as const
export const SPLITS = ['train', 'held'] as const
export type Part = (typeof PARTS)[number]
export type Split = (typeof SPLITS)[number]

/** A labelled turn with its text. `source` is the format it was taken from, or `written`. */
export interface LabelledTurn {
  readonly id: string
  readonly source: string
  readonly text: string
  readonly primary: string
  readonly acceptable: readonly string[]
}

/** Labelled turns that could be read from one file. `skipped` = turns whose text is not here or has changed. */
export interface Labelled {
  readonly turns: readonly LabelledTurn[]
  readonly skipped: number
}

async function rows<S extends z.ZodType>(name: string, schema: S): Promise<Array<z.output<S>>> {
  const text = await readFile(join(LABELLED, name), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => schema.parse(JSON.parse(line)))
}

async function readReal(split: Split): Promise<Labelled> {
  const found = await rows(`real.${split}.jsonl`, RealRow)
  if (!existsSync(SESSIONS)) return { turns: [], skipped: found.length }
  const script: unknown = await import(pathToFileURL(join(LABELLED, 'extract.mjs')).href)
  const { extractText } = Extractor.parse(script)
  const turns: LabelledTurn[] = []
  for (const { file, locator, sha256, ...label } of found) {
    const content = await readFile(join(SESSIONS, file), 'utf8').catch(() => '')
    const text = extractText(content, locator)
    if (text === null || createHash('sha256').update(text).digest('hex') !== sha256) continue
    turns.push({ ...label, text, source: file.split('/')[0] ?? file })
  }
  return { turns, skipped: found.length - turns.length }
}

/**
 * Labelled turns of one part and split. Texts of the real part stay in `../shared/sessions`: where
 * that folder is missing, or a text no longer has its hash, the turn is skipped and counted.
 */
export async function readLabelled(part: Part, split: Split): Promise<Labelled> {
  if (part === 'real') return readReal(split)
  const written = await rows(`written.${split}.jsonl`, WrittenRow)
  return { turns: written.map((row) => ({ ...row, source: 'written' })), skipped: 0 }
}

/** Judgement of some turns beside two baselines on the same turns. */
export interface Evaluation {
  readonly compound: Metrics
  readonly firstMatch: Metrics
  /** Always the most frequent domain of `train`. */
  readonly floor: Metrics
  readonly sources: ReadonlyArray<{ readonly source: string; readonly metrics: Metrics }>
}

interface Predictions {
  readonly source: string
  readonly compound: Judged
  readonly first: Judged
}

/**
 * Classifies every turn on its own (no state is carried) and measures. First match wins looks at
 * the same signals and takes the first domain by priority that has any.
 */
export function evaluate(
  pipeline: Pipeline,
  turns: readonly LabelledTurn[],
  train: readonly LabelledTurn[],
): Evaluation {
  const { defaultDomain } = pipeline.preset.belief
  const judged = turns.map((turn): Predictions => {
    const { scored } = stepTurn(pipeline, initialBeliefState, turn.text)
    const label = { expected: turn.primary, alternatives: turn.acceptable }
    const first = firstMatch(scored.scores, defaultDomain)
    return {
      source: turn.source,
      compound: { ...label, predicted: scored.primary.domain },
      first: { ...label, predicted: first },
    }
  })
  const compound = judged.map((one) => one.compound)
  const floor = mostFrequent(train.map((turn) => ({ expected: turn.primary }))).domain ?? ''
  const sources = [...new Set(judged.map((one) => one.source))].sort()
  return {
    compound: measure(compound),
    firstMatch: measure(judged.map((one) => one.first)),
    floor: measure(compound.map((one) => ({ ...one, predicted: floor }))),
    sources: sources.map((source) => ({
      source,
      metrics: measure(judged.filter((one) => one.source === source).map((one) => one.compound)),
    })),
  }
}
