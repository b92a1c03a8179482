import type { QueryColumns } from '../schema/answer-columns.ts'
import type { StepBar } from '../schema/bundle-wire.ts'
import type { Picture } from '../schema/picture.ts'
import { type About, framed, INNER, MARGIN, paperOf, TOP } from './frame.ts'
import { type KeyEntry, keyOf } from './key.ts'
import type { Paper, TierColor } from './paper.ts'
import { type Bin, binsOf, ticksOf } from './scale.ts'
import { type Drawn, group, line, polygon, rect, words } from './svg.ts'
import { figure, fitted, many, percent, textWidth } from './text.ts'

/** The composition of a prompt in tokens, against the available room. */
export interface BudgetBar {
  readonly label: string
  readonly parts: ReadonlyArray<readonly [tier: TierColor, tokens: number]>
  readonly room: number
  /** Something was cut or left out for room. */
  readonly isCut: boolean
}

export interface BudgetFacts extends About {
  readonly bars: readonly BudgetBar[]
  /** Unit of a bar: a pipeline step or a user message. */
  readonly of: 'step' | 'message'
  /** Prompts that could not be made. */
  readonly missing: number
  /** Method by which tokens were counted. */
  readonly estimator: string
}

const TIERS: ReadonlyArray<readonly [TierColor, string]> = [
  ['tier0', 'tier 0: what the step must have'],
  ['tier1', 'tier 1: results before'],
  ['history', 'history'],
  ['telemetry', 'telemetry'],
  ['framing', 'framing'],
  ['prompt', 'prompt'],
]

/** Budgets of pipeline steps: their tiers against the context, minus the reserve for the answer. */
export function barsOfSteps(steps: readonly StepBar[]): readonly BudgetBar[] {
  return steps
    .filter(({ problem }) => problem === null)
    .map(({ label, tiers, framing, context, reserve, cut, tier0OverContext }) => ({
      label,
      room: Math.max(0, context - reserve),
      parts: [
        ['tier0', tiers.tier0],
        ['tier1', tiers.tier1],
        ['history', tiers.history],
        ['telemetry', tiers.telemetry],
        ['framing', framing],
      ],
      isCut: cut.length > 0 || tier0OverContext,
    }))
}

/** Budgets of messages: the composed prompt against the preset's budget. */
export function barsOfMessages({ tokens, budget }: QueryColumns): readonly BudgetBar[] {
  return tokens.flatMap((count, index) =>
    count < 0
      ? []
      : [
          {
            label: String(index + 1),
            parts: [['prompt', count]] as const,
            room: budget,
            isCut: count > budget,
          },
        ],
  )
}

/** Token counting methods, in words. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['chars4', 'characters ÷ 4'],
  ['words13', 'words × 1.3'],
  ['larger', 'the larger of characters ÷ 4 and words × 1.3'],
  ['o200k_base', 'the tokenizer o200k_base'],
])

const LEFT = 58
const HEIGHT = 250
/** [U152] Columns at most. */
const MOST_BARS = 220

const sizeOf = ({ parts }: BudgetBar): number => parts.reduce((sum, [, tokens]) => sum + tokens, 0)

/** If several bars share a column, the fullest one is shown. */
function shownOf(bars: readonly BudgetBar[], bins: readonly Bin[]) {
  return bins.map(({ from, to }) => {
    const some = bars.slice(from, to)
    const [first] = some.toSorted((a, b) => sizeOf(b) - b.room - (sizeOf(a) - a.room))
    return { bar: first, from, isCut: some.some(({ isCut }) => isCut) }
  })
}

interface Scene {
  readonly paper: Paper
  readonly step: number
  readonly most: number
  readonly yOf: (tokens: number) => number
}

type Column = ReturnType<typeof shownOf>[number]

/** Formats the used share of the room; uses the short form if space is limited. */
function usedOf({ room }: BudgetBar, used: number, space: number): string {
  const whole = `${figure(used)} of ${figure(room)}`
  return textWidth(whole, 10) <= space - 4 ? whole : percent(used, room)
}

function drawBar({ paper, step, yOf }: Scene, { bar, isCut }: Column, index: number): Drawn | null {
  if (bar === undefined) return null
  const gap = step >= 5 ? Math.min(10, step * 0.2) : 0
  const x = MARGIN + LEFT + index * step + gap / 2
  const width = step - gap
  let below = 0
  const parts = bar.parts.map(([tier, tokens]) => {
    const from = yOf(below)
    const to = yOf(below + tokens)
    below += tokens
    if (tokens === 0) return null
    return rect({ x, y: to, width, height: from - to }, { fill: paper.tiers[tier] })
  })
  const top = yOf(below) - 4
  const middle = x + width / 2
  const reach = Math.min(4, Math.max(2, width / 2))
  const mark = polygon(
    [
      [middle - reach, top - 6],
      [middle + reach, top - 6],
      [middle, top],
    ],
    { fill: paper.bad },
  )
  const over = group('g', { 'font-size': 10, 'text-anchor': 'middle', fill: paper.ink2 }, [
    step < 30 ? null : words([middle, top - (isCut ? 9 : 0)], usedOf(bar, below, step)),
  ])
  return group('g', {}, [...parts, isCut ? mark : null, over])
}

/** The available room as a step line, because steps may have separate budgets. */
function roomLine({ paper, step, yOf, most }: Scene, columns: readonly Column[]): readonly Drawn[] {
  const runs: Array<{ from: number; to: number; readonly room: number }> = []
  for (const [index, { bar }] of columns.entries()) {
    const room = bar?.room ?? 0
    const last = runs.at(-1)
    if (last?.room === room) last.to = index + 1
    else runs.push({ from: index, to: index + 1, room })
  }
  const xOf = (index: number) => MARGIN + LEFT + index * step
  return runs
    .filter(({ room }) => room > 0 && room <= most)
    .map(({ from, to, room }) =>
      line([xOf(from), yOf(room)], [xOf(to), yOf(room)], {
        stroke: paper.ink,
        'stroke-width': 1.25,
        'stroke-dasharray': '5 3',
      }),
    )
}

function scaleOf({ paper, yOf, most }: Scene): readonly Drawn[] {
  const right = MARGIN + INNER
  return ticksOf(most, 6).flatMap((tokens) => [
    line([MARGIN + LEFT, yOf(tokens)], [right, yOf(tokens)], {
      stroke: paper.line,
      'stroke-width': 0.5,
    }),
    words([MARGIN + LEFT - 8, yOf(tokens) + 3.5], figure(tokens), {
      'font-size': 10,
      'text-anchor': 'end',
      fill: paper.ink3,
    }),
  ])
}

/** Names of the bars, as many as there is room for. */
function labels({ paper, step }: Scene, columns: readonly Column[], bottom: number): Drawn {
  const every = Math.max(1, Math.ceil(34 / step))
  return group(
    'g',
    { 'font-size': 10, 'text-anchor': 'middle', fill: paper.ink3 },
    columns.flatMap(({ bar }, index) =>
      index % every === 0 && bar !== undefined
        ? [
            words(
              [MARGIN + LEFT + (index + 0.5) * step, bottom + 14],
              fitted(bar.label, every * step, 10),
            ),
          ]
        : [],
    ),
  )
}

function keys(facts: BudgetFacts, paper: Paper): readonly KeyEntry[] {
  const used = new Set(
    facts.bars.flatMap(({ parts }) =>
      parts.flatMap(([tier, tokens]) => (tokens > 0 ? [tier] : [])),
    ),
  )
  const isCut = facts.bars.some((bar) => bar.isCut)
  const named = facts.of === 'step' ? 'context without the room for the answer' : 'budget'
  const most = scaleFor(facts.bars)
  const isOff = facts.bars.some((bar) => bar.room > most)
  const isOn = facts.bars.some((bar) => bar.room <= most)
  const room = `${named}${isOff ? ', where it is on the scale' : ''}`
  return [
    ...TIERS.filter(([tier]) => used.has(tier)).map(([tier, text]) => ({
      width: 11,
      text,
      sign: (x: number, y: number) =>
        rect({ x, y: y - 5.5, width: 11, height: 11 }, { fill: paper.tiers[tier] }),
    })),
    ...(isOn
      ? [
          {
            width: 20,
            text: room,
            sign: (x: number, y: number) =>
              line([x, y], [x + 20, y], {
                stroke: paper.ink,
                'stroke-width': 1.25,
                'stroke-dasharray': '5 3',
              }),
          },
        ]
      : []),
    ...(isCut
      ? [
          {
            width: 8,
            text: facts.of === 'step' ? 'cut or left out for room' : 'over the budget',
            sign: (x: number, y: number) =>
              polygon(
                [
                  [x, y - 3],
                  [x + 8, y - 3],
                  [x + 4, y + 3],
                ],
                { fill: paper.bad },
              ),
          },
        ]
      : []),
  ]
}

function toldOf({ bars, of }: BudgetFacts): string {
  const [fullest] = bars.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  if (fullest === undefined) return `There is no ${of} with a budget in this session.`
  const cut = bars.filter(({ isCut }) => isCut).length
  const over = of === 'step' ? 'had something cut for room' : 'went over the budget'
  return `Prompts of ${many(bars.length, of)}. The fullest is ${of} ${fullest.label} with ${figure(sizeOf(fullest))} of ${many(fullest.room, 'token')}; ${many(cut, of)} ${over}.`
}

/**
 * Upper end of the scale: the fullest prompt or the largest room. Excludes rooms so much larger than the prompts that
 * the prompts would become invisible.
 */
function scaleFor(bars: readonly BudgetBar[]): number {
  const fullest = bars.reduce((most, bar) => Math.max(most, sizeOf(bar)), 1)
  return bars.reduce(
    (most, { room }) => (room > 6 * fullest ? most : Math.max(most, room)),
    fullest,
  )
}

/** Describes the available tokens, from the smallest room to the largest. */
function roomText(bars: readonly BudgetBar[]): readonly string[] {
  if (bars.length === 0) return []
  const rooms = bars.map(({ room }) => room).toSorted((a, b) => a - b)
  const least = rooms[0] ?? 0
  const most = rooms.at(-1) ?? 0
  return [`room for ${least === most ? '' : `${figure(least)} to `}${many(most, 'token')}`]
}

/** [U156] Tokens of every prompt of a session against what there was room for. */
export function drawBudget(facts: BudgetFacts): Picture {
  const { bars, of, estimator, missing } = facts
  const paper = paperOf(facts)
  const bins = binsOf(0, bars.length, MOST_BARS)
  const columns = shownOf(bars, bins)
  const largest = scaleFor(bars)
  const most = largest * 1.1
  const top = TOP + 14
  const bottom = TOP + 14 + HEIGHT
  const scene: Scene = {
    paper,
    most: largest,
    step: (INNER - LEFT) / Math.max(1, columns.length),
    yOf: (tokens) => bottom - (tokens / most) * HEIGHT,
  }
  const key = keyOf(keys(facts, paper), {
    x: MARGIN,
    y: bottom + 40,
    width: INNER,
    fill: paper.ink2,
  })
  const per = bins.reduce((widest, { from, to }) => Math.max(widest, to - from), 0)
  const noun = of === 'step' ? 'pipeline steps' : 'messages of a person'
  return framed(facts, {
    kind: 'budget',
    heading: 'Budget over the session',
    bottom: key.bottom,
    lead: `Tokens of the prompts of ${noun}, in their order, against what there was room for`,
    body: [
      words([MARGIN + LEFT - 8, top - 6], 'tokens', {
        'font-size': 10,
        'text-anchor': 'end',
        fill: paper.ink3,
      }),
      ...scaleOf(scene),
      ...columns.map((column, index) => drawBar(scene, column, index)),
      ...roomLine(scene, columns),
      labels(scene, columns, bottom),
      words([MARGIN, bottom + 14], of, { 'font-size': 10, fill: paper.ink3 }),
      key.drawn,
    ],
    facts: [
      `n = ${many(bars.length, of)}`,
      ...roomText(bars),
      ...(bars.length === 0 ? [] : [`tokens by ${COUNTED.get(estimator) ?? estimator}`]),
      ...(per > 1 ? [`a column is the fullest of up to ${per}`] : []),
      ...(missing > 0 ? [`${many(missing, 'prompt')} could not be made`] : []),
    ],
    told: toldOf(facts),
  })
}
