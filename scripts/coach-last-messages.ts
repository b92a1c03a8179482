import { classifyByRules } from '../core/engine/coach/classify.ts'
import type { Coach } from '../core/engine/coach/cues.ts'
import { ownWords } from '../core/engine/own-words.ts'
import {
  type Figures,
  type JudgedMessage,
  type LastMessage,
  figuresOf,
  intervalOf,
  readBefore,
  readLastMessages,
} from './coach-figures.ts'

/** Rules were written while reading folds 0 to 2; folds 3 and 4 measured a full version. */
const WRITTEN_ON = [0, 1, 2]

/** Figures that `figuresOf` counts, with their words. For harms, smaller is better. */
const COLUMNS: ReadonlyArray<readonly [key: keyof Figures, words: string]> = [
  ['type', 'type'],
  ['acceptable', 'type or accepted'],
  ['passOrBack', 'pass or back'],
  ['alwaysPass', '(always pass)'],
  ['passedUnfinished', 'passed though unfinished'],
  ['sentBackFinished', 'sent back though finished'],
]

export function judgeLastMessages(coach: Coach, rows: readonly LastMessage[]): JudgedMessage[] {
  return rows.map((row) => ({
    row,
    verdict: classifyByRules(coach, ownWords(row.text), row.user_before).type,
  }))
}

interface Slice {
  readonly name: string
  readonly isIn: (row: LastMessage) => boolean
}

function slicesOf(rows: readonly LastMessage[]): readonly Slice[] {
  const folds = [...new Set(rows.map(({ fold }) => fold))].sort((a, b) => a - b)
  const tools = [...new Set(rows.map(({ tool }) => tool))].sort()
  return [
    { name: 'all', isIn: () => true },
    {
      name: 'folds 0-2 (rules were written on these)',
      isIn: ({ fold }) => WRITTEN_ON.includes(fold),
    },
    {
      name: 'folds 3-4 (held until the first full version)',
      isIn: ({ fold }) => !WRITTEN_ON.includes(fold),
    },
    ...folds.map((of) => ({ name: `fold ${of}`, isIn: ({ fold }: LastMessage) => fold === of })),
    ...tools.map((of) => ({ name: of, isIn: ({ tool }: LastMessage) => tool === of })),
  ]
}

/** Figures of one slice, as data. */
function rowOf(name: string, judged: readonly JudgedMessage[]) {
  const figures = COLUMNS.map(([key]) => {
    const { hits, of } = figuresOf(judged)[key]
    const interval = intervalOf(judged, (some) => figuresOf(some)[key])
    return [key, { hits, of, interval }] as const
  })
  return {
    name,
    n: judged.length,
    repositories: repositoriesOf(judged),
    ...Object.fromEntries(figures),
  }
}

function repositoriesOf(judged: readonly JudgedMessage[]): number {
  return new Set(judged.map(({ row }) => row.source_repo)).size
}

/** Figures of the last messages under the rules before and now; null if their texts are not here. */
export async function lastMessageFigures(coach: Coach, folder?: string) {
  const rows = await readLastMessages(folder)
  if (rows === null) return null
  const before = await readBefore()
  const now = judgeLastMessages(coach, rows)
  const then = rows.flatMap((row) => {
    const verdict = before.byId.get(row.id)
    return verdict === undefined ? [] : [{ row, verdict }]
  })
  return slicesOf(rows).map(({ name, isIn }) => ({
    before: rowOf(
      `${name}, before (${before.commit})`,
      then.filter(({ row }) => isIn(row)),
    ),
    now: rowOf(
      `${name}, now`,
      now.filter(({ row }) => isIn(row)),
    ),
  }))
}

type Row = ReturnType<typeof rowOf>

/** Readable lines: shares with counts and 95 % intervals, from resampled repositories. */
export function tellFigures(rows: ReadonlyArray<{ readonly before: Row; readonly now: Row }>) {
  return rows.flatMap(({ before, now }) => [...linesOf(before), ...linesOf(now), '']).join('\n')
}

function linesOf({ name, n, repositories, ...figures }: Row): readonly string[] {
  const shares = figures as unknown as Readonly<
    Record<string, { hits: number; of: number; interval: readonly [number, number] }>
  >
  const cells = COLUMNS.map(([key, words]) => {
    const { hits = 0, of = 0, interval } = shares[key] ?? {}
    if (of === 0 || interval === undefined) return `${words} -`
    const [low, high] = interval
    const ends = repositories > 1 ? ` [${low.toFixed(2)}-${high.toFixed(2)}]` : ''
    return `${words} ${(hits / of).toFixed(3)}${ends} (${hits}/${of})`
  })
  return [`${name}: n=${n} of ${repositories} repositories`, `  ${cells.join('  ')}`]
}

/** Cues and evidence whose absence changes something: how many right answers each is worth, by part. */
export async function worthOfCues(coach: Coach, folder?: string): Promise<readonly string[]> {
  const rows = await readLastMessages(folder)
  if (rows === null) return []
  const isWritten = ({ row }: JudgedMessage): boolean => WRITTEN_ON.includes(row.fold)
  const scoreOf = (judged: readonly JudgedMessage[]): readonly number[] => {
    const parts = [judged.filter(isWritten), judged.filter((one) => !isWritten(one))]
    return parts.flatMap((part) => {
      const { acceptable, passOrBack } = figuresOf(part)
      return [acceptable.hits, passOrBack.hits]
    })
  }
  const whole = scoreOf(judgeLastMessages(coach, rows))
  const lines = [...coach.cues, ...coach.evidence].flatMap(({ id }) => {
    const without = {
      ...coach,
      cues: coach.cues.filter((cue) => cue.id !== id),
      evidence: coach.evidence.filter((one) => one.id !== id),
    }
    const worth = scoreOf(judgeLastMessages(without, rows)).map(
      (hits, at) => (whole[at] ?? 0) - hits,
    )
    if (worth.every((difference) => difference === 0)) return []
    const [type, back, heldType, heldBack] = worth.map((one) => `${one > 0 ? '+' : ''}${one}`)
    return [`  ${id.padEnd(32)} written on: ${type} ${back}   held: ${heldType} ${heldBack}`]
  })
  return ['worth of each cue (type or accepted, pass or back), by leaving it out:', ...lines]
}
