import type { Flip, ReplayColumns } from '../schema/replay.ts'
import { NONE, NOTHING } from './looks.ts'
import { bySize, tally } from './scale.ts'
import { type Drawn, rect, words } from './svg.ts'
import { figure, many } from './text.ts'
import { gapOf, type Part, type Scene } from './scene.ts'

interface Other {
  readonly columns: ReplayColumns
  readonly flips: readonly Flip[]
}

const BAR = 16
const STRIP = 14
/** A code needs this much room. */
const CODE = 12

interface Flipped {
  readonly direct: number
  readonly carried: number
  /** What the other side says most often of the flips. */
  readonly becomes: string
  /** It says the same domain first: the second one or the enrichment differs. */
  readonly isSame: boolean
}

function flippedIn({ columns }: Other, flips: readonly Flip[]): Flipped {
  const direct = flips.filter(({ cause }) => cause === 'direct').length
  const [most = NONE] = bySize(tally(flips.map((flip) => columns.primary[flip.other] ?? NONE)))
  const becomes = columns.domains[most] ?? NOTHING
  const isSame = flips.every(({ fields }) => !fields.includes('primary'))
  return { direct, carried: flips.length - direct, becomes, isSame }
}

/** Flips of each column, in one pass over both. */
function byBin({ bins }: Scene, flips: readonly Flip[]): ReadonlyArray<readonly Flip[]> {
  const sorted = flips.toSorted((a, b) => a.turn - b.turn)
  let at = 0
  return bins.map(({ to }) => {
    const start = at
    while ((sorted[at]?.turn ?? Infinity) < to) at += 1
    return sorted.slice(start, at)
  })
}

function column(scene: Scene, other: Other, [index, flips]: readonly [number, readonly Flip[]]) {
  const { bins, left, step, look } = scene
  const turns = Math.max(1, (bins[index]?.to ?? 0) - (bins[index]?.from ?? 0))
  const { direct, carried, becomes, isSame } = flippedIn(other, flips)
  const x = left + index * step
  const width = Math.max(1.5, step - gapOf(step))
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / turns) * BAR))
  return { direct: high(direct), carried: high(carried), x, width, isSame, look: look(becomes) }
}

/** Turns that the other side decides differently: why, and what it says instead. */
export function flipRow(scene: Scene, other: Other, top: number): Part {
  const { left, paper } = scene
  const strip = top + BAR + 3
  const drawn = byBin(scene, other.flips).flatMap((flips, index): readonly Drawn[] => {
    if (flips.length === 0) return []
    const { direct, carried, x, width, isSame, look } = column(scene, other, [index, flips])
    const bar = (y: number, height: number, fill: string) =>
      rect({ x, y, width, height }, { fill, stroke: paper.ink2, 'stroke-width': 0.75 })
    return [
      ...(direct === 0 ? [] : [bar(top + BAR - direct, direct, paper.ink2)]),
      ...(carried === 0 ? [] : [bar(top + BAR - direct - carried, carried, paper.paper)]),
      isSame
        ? rect(
            { x: x + 0.5, y: strip + 0.5, width: width - 1, height: STRIP - 1 },
            { fill: paper.paper, stroke: look.color },
          )
        : rect({ x, y: strip, width, height: STRIP }, { fill: look.color }),
      ...(width < CODE
        ? []
        : [
            words([x + width / 2, strip + 10.5], look.code, {
              ...{ 'font-size': 8.5, 'text-anchor': 'middle', fill: isSame ? paper.ink : look.on },
            }),
          ]),
    ]
  })
  const direct = other.flips.filter(({ cause }) => cause === 'direct').length
  const right = left + scene.width
  const body = [
    words([left - 168, top + 12], 'flips'),
    words([left - 168, strip + 11], 'what they become', { 'font-size': 10, fill: paper.ink3 }),
    ...drawn,
    words([right + 8, top + 12], many(other.flips.length, 'flip'), { 'font-size': 11 }),
    words([right + 8, strip + 11], `${figure(direct)} direct`, {
      ...{ 'font-size': 10, fill: paper.ink3 },
    }),
  ]
  return { body, bottom: strip + STRIP + 4 }
}
