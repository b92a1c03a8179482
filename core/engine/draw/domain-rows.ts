import { NONE, NOTHING } from './looks.ts'
import { bySize, tally } from './scale.ts'
import { type Drawn, group, line, rect, words } from './svg.ts'
import { figure, fitted } from './text.ts'
import { gapOf, type Part, type Scene } from './scene.ts'

/** A domain of the timeline, or those that share the last row. */
export interface Row {
  readonly name: string
  readonly places: ReadonlySet<number>
  /** Turns that were held as it, and that its texts alone said. */
  readonly held: number
  readonly alone: number
  /** Turns whose text alone said it while another was held. */
  readonly parted: number
}

/** [U152] Rows at most; the rarest domains share the last one. */
export const MOST_ROWS = 14
const ROW = 22
const BAR = 14

/** Domains that occur, most often held first. */
export function rowsOf({ columns, bins }: Pick<Scene, 'columns' | 'bins'>): readonly Row[] {
  const { primary, scoredPrimary, domains } = columns
  const from = bins[0]?.from ?? 0
  const to = bins.at(-1)?.to ?? 0
  const held = tally(primary.slice(from, to))
  const alone = tally(scoredPrimary.slice(from, to))
  const parted = new Map<number, number>()
  for (let turn = from; turn < to; turn += 1) {
    const said = scoredPrimary[turn] ?? NONE
    if (said !== primary[turn]) parted.set(said, (parted.get(said) ?? 0) + 1)
  }
  const all = [...bySize(held), ...bySize(alone).filter((place) => !held.has(place))]
  const own = all.length > MOST_ROWS ? MOST_ROWS - 1 : all.length
  const sum = (counts: ReadonlyMap<number, number>, places: readonly number[]) =>
    places.reduce((total, place) => total + (counts.get(place) ?? 0), 0)
  const rowOf = (name: string, places: readonly number[]): Row => ({
    name,
    places: new Set(places),
    held: sum(held, places),
    alone: sum(alone, places),
    parted: sum(parted, places),
  })
  const rest = all.slice(own)
  return [
    ...all.slice(0, own).map((place) => rowOf(domains[place] ?? NOTHING, [place])),
    ...(rest.length === 0 ? [] : [rowOf(`${rest.length} others`, rest)]),
  ]
}

/** Runs of columns of one height are one bar: a long stretch is one rectangle. */
function bars(scene: Scene, { places }: Row, y: number): readonly Drawn[] {
  const { columns, bins, left, step } = scene
  const drawn: Drawn[] = []
  let open = { from: 0, share: 0 }
  const close = (to: number): void => {
    if (open.share === 0) return
    const height = Math.max(1.5, open.share * BAR)
    const x = left + open.from * step
    const width = (to - open.from) * step - gap
    drawn.push(rect({ x, y: y + BAR - height, width, height }, {}))
  }
  // Adjacent turns stay separate if the columns are wide enough for a gap.
  const gap = gapOf(step)
  for (const [index, { from, to }] of bins.entries()) {
    let count = 0
    for (let turn = from; turn < to; turn += 1)
      if (places.has(columns.primary[turn] ?? NONE)) count += 1
    const share = count / (to - from)
    if (open.share === share && gap === 0) continue
    close(index)
    open = { from: index, share }
  }
  close(bins.length)
  return drawn
}

/** A mark under each column in which a text alone said this and another was held. */
function marks(scene: Scene, { places }: Row, y: number): readonly Drawn[] {
  const { columns, bins, left, step } = scene
  const { primary, scoredPrimary } = columns
  return bins.flatMap(({ from, to }, index) => {
    for (let turn = from; turn < to; turn += 1) {
      const said = scoredPrimary[turn] ?? NONE
      if (places.has(said) && said !== primary[turn]) {
        const width = Math.max(1.5, step - gapOf(step))
        return [rect({ x: left + index * step, y: y + BAR + 1, width, height: 3 }, {})]
      }
    }
    return []
  })
}

function heads({ left, width, paper }: Scene, y: number): Drawn {
  const right = left + width
  return group('g', { 'font-size': 10, fill: paper.ink3, 'text-anchor': 'end' }, [
    words([right + 46, y], 'held'),
    words([right + 100, y], 'text alone'),
  ])
}

function figures({ left, width, paper }: Scene, { held, alone }: Row, y: number): Drawn {
  const right = left + width
  return group('g', { 'text-anchor': 'end', 'font-size': 11 }, [
    words([right + 46, y], figure(held)),
    words([right + 100, y], figure(alone), { fill: paper.ink2 }),
  ])
}

/** One row per domain: the held domain, and below it the domain by the text alone. */
export function domainRows(scene: Scene, top: number): Part & { readonly rows: readonly Row[] } {
  const { look, left, width, paper, columns } = scene
  const rows = rowsOf(scene)
  const body = rows.map((row, index) => {
    const y = top + index * ROW
    const [place = NONE] = row.places
    const { code, color, on } = look(columns.domains[place] ?? NOTHING)
    const isOne = row.places.size === 1 && columns.domains[place] !== undefined
    return group('g', {}, [
      line([left, y + BAR + 0.5], [left + width, y + BAR + 0.5], { stroke: paper.line }),
      rect(
        { x: left - 168, y, width: 22, height: BAR },
        { rx: 2, fill: isOne ? color : paper.ink3 },
      ),
      words([left - 157, y + 10.5], isOne ? code : '··', {
        'font-size': 9.5,
        'text-anchor': 'middle',
        fill: isOne ? on : paper.paper,
      }),
      words([left - 140, y + 11], fitted(row.name, 130, 12)),
      group('g', { fill: isOne ? color : paper.ink3 }, [
        ...bars(scene, row, y),
        ...marks(scene, row, y),
      ]),
      figures(scene, row, y + 11),
    ])
  })
  const bottom = top + Math.max(1, rows.length) * ROW
  return { rows, bottom, body: [heads(scene, top - 8), ...body] }
}
