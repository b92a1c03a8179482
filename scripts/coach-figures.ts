import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OutputType } from '../core/engine/schema/coach.ts'

/** Last messages of agents that a reader labelled, and figures about verdicts on them. */
const ROOT = join(import.meta.dirname, '..')
const LABELS = join(ROOT, '../shared/labels')
const BEFORE = join(ROOT, 'fixtures/coach/before.json')

const LastMessage = z.object({
  id: z.string(),
  fold: z.int(),
  type: OutputType,
  acceptable: z.array(OutputType),
  text: z.string(),
  user_before: z.string().nullable(),
  tool: z.string(),
  source_repo: z.string(),
})
export type LastMessage = z.infer<typeof LastMessage>

/** Null if the texts are not on this machine. */
export async function readLastMessages(folder = LABELS): Promise<LastMessage[] | null> {
  const path = join(folder, 'agents.jsonl')
  if (!existsSync(path)) return null
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => LastMessage.parse(JSON.parse(line)))
}

const Before = z.object({
  commit: z.string(),
  verdicts: z.record(OutputType, z.array(z.string())),
})

/** Verdicts of the rules at an earlier commit, by id. */
export async function readBefore() {
  const { commit, verdicts } = Before.parse(JSON.parse(await readFile(BEFORE, 'utf8')))
  const byId = new Map(
    OutputType.options.flatMap((type) =>
      verdicts[type].map((id): [string, OutputType] => [id, type]),
    ),
  )
  return { commit, byId }
}

/** A labelled message with a verdict on it. */
export interface JudgedMessage {
  readonly row: LastMessage
  readonly verdict: OutputType
}

interface Counted {
  readonly hits: number
  readonly of: number
}

/** Figures of judged messages. A harm is counted among the messages that it can affect. */
export interface Figures {
  readonly type: Counted
  /** The type, or one that the reader accepts too. */
  readonly acceptable: Counted
  readonly passOrBack: Counted
  /** Passing everything. */
  readonly alwaysPass: Counted
  /** [V22] Of those that no accepted type lets pass. */
  readonly passedUnfinished: Counted
  readonly sentBackFinished: Counted
}

const goesBack = (type: OutputType): boolean => type === 'status'

export function figuresOf(judged: readonly JudgedMessage[]): Figures {
  const count = (
    of: readonly JudgedMessage[],
    isHit: (one: JudgedMessage) => boolean,
  ): Counted => ({
    hits: of.filter(isHit).length,
    of: of.length,
  })
  const accepted = ({ row }: JudgedMessage) => [row.type, ...row.acceptable]
  const unfinished = judged.filter((one) => accepted(one).every(goesBack))
  const finished = judged.filter(({ row }) => row.type === 'completion')
  return {
    type: count(judged, ({ row, verdict }) => row.type === verdict),
    acceptable: count(judged, (one) => accepted(one).includes(one.verdict)),
    passOrBack: count(judged, ({ row, verdict }) => goesBack(row.type) === goesBack(verdict)),
    alwaysPass: count(judged, ({ row }) => !goesBack(row.type)),
    passedUnfinished: count(unfinished, ({ verdict }) => !goesBack(verdict)),
    sentBackFinished: count(finished, ({ verdict }) => goesBack(verdict)),
  }
}

const SAMPLES = 2000

/**
 * The 95 % interval of a share, by resampling whole repositories. Messages of one repository are similar, so resampling
 * messages would make the interval too narrow. The draws are the same each time.
 */
export function intervalOf(
  judged: readonly JudgedMessage[],
  shareOf: (some: readonly JudgedMessage[]) => Counted,
): readonly [number, number] {
  const counts = [...Map.groupBy(judged, ({ row }) => row.source_repo).values()].map(shareOf)
  const draw = drawFrom(counts.length)
  const shares = Array.from({ length: SAMPLES }, () => {
    const drawn = counts.map(() => counts[draw()] ?? { hits: 0, of: 0 })
    const of = drawn.reduce((sum, one) => sum + one.of, 0)
    return of === 0 ? 0 : drawn.reduce((sum, one) => sum + one.hits, 0) / of
  }).sort((a, b) => a - b)
  return [shares[Math.floor(SAMPLES * 0.025)] ?? 0, shares[Math.floor(SAMPLES * 0.975)] ?? 0]
}

/** Places below `size` from a sequence that is always the same (a linear congruence). */
function drawFrom(size: number): () => number {
  let state = 20_261_123
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * size)
  }
}
