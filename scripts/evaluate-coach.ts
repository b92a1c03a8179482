import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { classifyByRules } from '../core/engine/coach/classify.ts'
import type { Coach } from '../core/engine/coach/cues.ts'
import { ownWords } from '../core/engine/own-words.ts'
import { type Judged, scoreVerdicts } from '../core/engine/coach/score.ts'
import type { CoachScore } from '../core/engine/schema/coach-wire.ts'
import { OutputType } from '../core/engine/schema/coach.ts'
import { shippedCoach } from '../fixtures/coach-rules.ts'
import { lastMessageFigures, tellFigures, worthOfCues } from './coach-last-messages.ts'

/**
 * `node scripts/evaluate-coach.ts [--json] [--misses [--real]] [--cues] [--shown] [--texts FOLDER]`: how well the coach's rules
 * judge labelled outputs of agents: the fixtures, and last messages by fold (split by repository), before and
 * now. Aggregates with counts; `--misses` shows texts of the train half only, so that looking at `held` teaches
 * nothing about its outputs. `--cues`: what each cue is worth. `--shown`: with `claims: shown` (V76).
 * `--texts`: folder of `agents.jsonl` (`../shared/labels`).
 */
const ROOT = join(import.meta.dirname, '..')
const LABELLED = join(ROOT, 'fixtures/coach')
const SESSIONS = join(ROOT, '../shared/sessions')

const Labels = { id: z.string(), type: OutputType }
const WrittenRow = z.object({ ...Labels, kind: z.string(), text: z.string() })
const RealRow = z.object({ ...Labels, file: z.string(), locator: z.unknown(), sha256: z.string() })
const Extractor = z.object({
  extractText: z.custom<(content: string, locator: unknown) => string | null>(
    (value) => typeof value === 'function',
  ),
})

interface Labelled {
  readonly id: string
  readonly type: OutputType
  readonly text: string
}

interface Part {
  readonly outputs: readonly Labelled[]
  /** Outputs whose text is not here or has changed. */
  readonly skipped: number
}

const SPLITS = ['train', 'held'] as const
type Split = (typeof SPLITS)[number]

async function rows<S extends z.ZodType>(name: string, schema: S): Promise<Array<z.output<S>>> {
  const text = await readFile(join(LABELLED, name), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => schema.parse(JSON.parse(line)))
}

async function readWritten(split: Split): Promise<Part> {
  return { outputs: await rows(`written.${split}.jsonl`, WrittenRow), skipped: 0 }
}

async function readReal(split: Split): Promise<Part> {
  const found = await rows(`real.${split}.jsonl`, RealRow)
  if (!existsSync(SESSIONS)) return { outputs: [], skipped: found.length }
  const path = join(ROOT, 'fixtures/labelled/extract.mjs')
  const script: unknown = await import(pathToFileURL(path).href)
  const { extractText } = Extractor.parse(script)
  const outputs: Labelled[] = []
  for (const { file, locator, sha256, id, type } of found) {
    const content = await readFile(join(SESSIONS, file), 'utf8').catch(() => '')
    const text = extractText(content, locator)
    if (text === null || createHash('sha256').update(text).digest('hex') !== sha256) continue
    outputs.push({ id, type, text })
  }
  return { outputs, skipped: found.length - outputs.length }
}

interface Row {
  readonly name: string
  readonly skipped: number
  readonly score: CoachScore
}

function share({ hits, of }: { readonly hits: number; readonly of: number }): string {
  return of === 0 ? '-' : `${(hits / of).toFixed(3)} (${hits}/${of})`
}

function report({ name, skipped, score }: Row): string {
  const missing = skipped === 0 ? '' : `, ${skipped} skipped (their texts are not here)`
  const types = score.types.map(
    ({ type, precision, recall }) =>
      `  ${type.padEnd(10)}  precision ${share(precision).padEnd(15)}  recall ${share(recall)}`,
  )
  return [
    `${name}: n=${score.labelled}${missing}`,
    `  type ${share(score.type)}  pass or back ${share(score.passOrBack)}`,
    `  harmful: rejects passed ${share(score.rejectsPassed)}, questions continued ${share(score.questionsContinued)}`,
    ...types,
  ].join('\n')
}

const shipped = shippedCoach()
const coach: Coach = process.argv.includes('--shown')
  ? { ...shipped, rules: { ...shipped.rules, claims: 'shown' } }
  : shipped

function judge({ outputs }: Part): Judged[] {
  return outputs.map(({ type, text }) => ({
    label: type,
    verdict: classifyByRules(coach, ownWords(text)).type,
  }))
}

function printMisses({ outputs }: Part): void {
  for (const { id, type, text } of outputs) {
    const verdict = classifyByRules(coach, ownWords(text))
    if (verdict.type === type) continue
    const by = verdict.marks[0]?.cue ?? ''
    console.log(`${id}: ${type}, judged ${verdict.type} (${verdict.reason}; ${by})\n${text}\n`)
  }
}

async function main(args: readonly string[]): Promise<void> {
  const table: Row[] = []
  for (const split of SPLITS) {
    const written = await readWritten(split)
    const real = await readReal(split)
    if (split === 'train' && args.includes('--misses')) {
      printMisses(written)
      if (args.includes('--real')) printMisses(real)
    }
    const both = {
      outputs: [...written.outputs, ...real.outputs],
      skipped: written.skipped + real.skipped,
    }
    const parts = { written, real, all: both }
    for (const [name, part] of Object.entries(parts)) {
      const score = scoreVerdicts(judge(part))
      table.push({ name: `${split} / ${name}`, skipped: part.skipped, score })
    }
  }
  const at = args.indexOf('--texts')
  const folder = at < 0 ? undefined : args[at + 1]
  const lastMessages = await lastMessageFigures(coach, folder)
  if (args.includes('--json')) {
    console.log(JSON.stringify({ outputs: table, lastMessages }, null, 2))
    return
  }
  console.log(table.map(report).join('\n\n'))
  console.log(lastMessages === null ? LAST_MESSAGES_MISSING : `\n${tellFigures(lastMessages)}`)
  if (args.includes('--cues')) console.log((await worthOfCues(coach, folder)).join('\n'))
}

const LAST_MESSAGES_MISSING = '\nlast messages: 307 skipped (their texts are not here)'

await main(process.argv.slice(2))
