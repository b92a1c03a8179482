import type { Picture, TransitionMap, TurnRange } from '../schema/picture.ts'
import type { ReplayColumns } from '../schema/replay.ts'
import { type About, framed, INNER, MARGIN, paperOf, TOP } from './frame.ts'
import { looksOf } from './looks.ts'
import type { Paper } from './paper.ts'
import { drawnTurns, nText } from './scale.ts'
import { type Drawn, group, rect, words } from './svg.ts'
import { figure, fitted, many, percent } from './text.ts'
import { transitionMap } from './transition-map.ts'

export interface TransitionFacts extends About {
  readonly columns: ReplayColumns
  readonly range: TurnRange | null
  /** Turns of the other side. */
  readonly other: ReplayColumns | null
}

/** [U152] Domains at most; the rarest are one row and one column together. */
const MOST = 13
const CELL = { width: 45, height: 32 } as const
const NAMES = 186
const HEAD = 112

/** The map as a table of figures: the rarest domains are put together. */
interface Grid {
  readonly names: readonly string[]
  /** Whether the last name groups several domains. */
  readonly isCut: boolean
  readonly at: (row: number, column: number) => number
}

/** Counts in the order of `names`. Domains not in `names` count as the last one. */
function gridOf({ domains, cells }: TransitionMap, names: readonly string[]): Grid['at'] {
  const places = new Map(names.map((name, index) => [name, index]))
  const size = names.length
  const placeOf = (number: number) => places.get(domains[number] ?? '') ?? size - 1
  const counts = new Map<number, number>()
  for (const { alone, held, count } of cells) {
    const key = placeOf(alone) * size + placeOf(held)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return (row, column) => counts.get(row * size + column) ?? 0
}

function namesOf(map: TransitionMap, other: TransitionMap | null) {
  const all = [...new Set([...map.domains, ...(other?.domains ?? [])])]
  const isCut = all.length > MOST
  const names = isCut ? [...all.slice(0, MOST - 1), `${all.length - MOST + 1} others`] : all
  return { names, isCut }
}

interface Scene {
  readonly grid: Grid
  readonly other: Grid['at'] | null
  readonly most: number
  readonly paper: Paper
  readonly left: number
  readonly top: number
}

/** Blue from pale to full; where momentum changed something, the colour of a warning. */
function cell(scene: Scene, row: number, column: number): Drawn {
  const { grid, other, most, paper, left, top } = scene
  const count = grid.at(row, column)
  const x = left + column * CELL.width
  const y = top + row * CELL.height
  const box = { x: x + 1, y: y + 1, width: CELL.width - 2, height: CELL.height - 2 }
  const isSame = row === column
  const fill = isSame ? paper.accent : paper.bad
  // By root: a few turns are seen beside hundreds.
  const share = count === 0 ? 0 : 0.12 + 0.68 * Math.sqrt(count / most)
  const ink = share > 0.55 ? paper.paper : paper.ink
  const change = other === null ? 0 : other(row, column) - count
  const middle = x + CELL.width / 2
  const edge = isSame ? { stroke: paper.ink3, 'stroke-width': 1.25 } : {}
  return group('g', {}, [
    rect(box, { rx: 2, fill: paper.soft }),
    count === 0 ? null : rect(box, { rx: 2, fill, 'fill-opacity': share }),
    isSame ? rect(box, { rx: 2, fill: 'none', ...edge }) : null,
    count === 0
      ? null
      : words([middle, y + (change === 0 ? 20.5 : 15)], figure(count), { fill: ink }),
    change === 0
      ? null
      : words(
          [middle, y + (count === 0 ? 20 : 26.5)],
          `${change > 0 ? '+' : '−'}${figure(Math.abs(change))}`,
          {
            'font-size': 9.5,
            fill: count === 0 ? paper.ink2 : ink,
          },
        ),
  ])
}

function totals({ grid, left, top, paper }: Scene): readonly Drawn[] {
  const size = grid.names.length
  const all = Array.from({ length: size }, (_, index) => index)
  const sum = (read: (other: number) => number) =>
    all.reduce((total, each) => total + read(each), 0)
  const right = left + size * CELL.width + 26
  const under = top + size * CELL.height + 18
  return [
    group('g', { 'text-anchor': 'middle', 'font-size': 11, fill: paper.ink2 }, [
      ...all.map((row) =>
        words([right, top + row * CELL.height + 20], figure(sum((each) => grid.at(row, each)))),
      ),
      ...all.map((column) =>
        words(
          [left + (column + 0.5) * CELL.width, under],
          figure(sum((each) => grid.at(each, column))),
        ),
      ),
    ]),
    group('g', { 'font-size': 10, fill: paper.ink3 }, [
      words([right, top - 8], 'in all', { 'text-anchor': 'middle' }),
      words([left - 10, under], 'in all', { 'text-anchor': 'end' }),
    ]),
  ]
}

function names(facts: TransitionFacts, { grid, left, top, paper }: Scene): readonly Drawn[] {
  const look = looksOf(facts.columns.domains, facts.theme)
  return grid.names.flatMap((name, index) => {
    const isRest = grid.isCut && index === grid.names.length - 1
    const { code, color, on } = look(name)
    const [mark, fill, ink] = isRest ? ['··', paper.ink3, paper.paper] : [code, color, on]
    const y = top + index * CELL.height + 9
    const x = left + (index + 0.5) * CELL.width
    const badge = (bx: number, by: number) => [
      rect({ x: bx, y: by, width: 22, height: 14 }, { rx: 2, fill }),
      words([bx + 11, by + 10.5], mark, { 'font-size': 9.5, 'text-anchor': 'middle', fill: ink }),
    ]
    return [
      ...badge(left - 32, y),
      words([left - 40, y + 11], fitted(name, NAMES - 60, 12), { 'text-anchor': 'end' }),
      ...badge(x - 11, top - 22),
      words([x + 4, top - 28], fitted(name, 118, 12), {
        transform: `rotate(-40 ${x} ${top - 28})`,
      }),
    ]
  })
}

/** Labels of the rows and columns. */
function axes({ grid, left, top, paper }: Scene): readonly Drawn[] {
  const x = MARGIN + 8
  const y = top + (Math.max(2, grid.names.length) * CELL.height) / 2
  const look = { 'font-size': 11, fill: paper.ink3 }
  return [
    words([x, y], 'text alone', {
      ...look,
      'text-anchor': 'middle',
      transform: `rotate(-90 ${x} ${y})`,
    }),
    words([left - 10, top - 11], 'held', { ...look, 'text-anchor': 'end' }),
  ]
}

/** The changes that momentum made most often, in words beside the grid. */
function readings(facts: TransitionFacts, scene: Scene, { cells, domains, turns }: TransitionMap) {
  const { left, top, grid, paper } = scene
  const x = left + grid.names.length * CELL.width + 66
  const room = MARGIN + INNER - x
  const kept = cells.filter(({ alone, held }) => alone === held)
  const same = kept.reduce((sum, { count }) => sum + count, 0)
  const changed = cells
    .filter(({ alone, held }) => alone !== held)
    .toSorted((a, b) => b.count - a.count)
    .map(({ alone, held, count }) => ({
      from: domains[alone] ?? '',
      to: domains[held] ?? '',
      count,
    }))
  const head = `${figure(same)} of ${many(turns, 'turn')} (${percent(same, turns)}) were held as their text alone said.`
  const rest = changed.map(
    ({ from, to, count }) => `${from} held as ${to} on ${many(count, 'turn')}`,
  )
  const told = [head, ...rest.slice(0, 5).map((each) => `${each}.`)].join(' ')
  if (room < 150) return { told, drawn: [] }
  const look = looksOf(facts.columns.domains, facts.theme)
  const lines = changed
    .slice(0, Math.min(8, grid.names.length))
    .map(({ from, to, count }, index) => {
      const y = top + 56 + index * 20
      return group('g', { 'font-size': 11 }, [
        words([x + 38, y], figure(count), { 'text-anchor': 'end' }),
        words([x + 46, y], fitted(`${look(from).name} held as ${look(to).name}`, room - 46, 11), {
          fill: paper.ink2,
        }),
      ])
    })
  const patch = ([px, py]: readonly [number, number], fill: string) =>
    rect({ x: px, y: py, width: 12, height: 12 }, { rx: 2, fill, 'fill-opacity': 0.8 })
  const drawn = [
    patch([x, top + 1], paper.accent),
    words([x + 20, top + 11], `${percent(same, turns)} as the text alone said`),
    ...(lines.length === 0
      ? []
      : [
          patch([x, top + 23], paper.bad),
          words([x + 20, top + 33], `${percent(turns - same, turns)} momentum held another`),
        ]),
    ...lines,
  ]
  return { told, drawn }
}

const LEAD = 'Row by row what the text alone said, column by column what was held under momentum'

/** [U153] The map of transitions: the domain by each text alone, and the domain held under momentum. */
export function drawTransitions(facts: TransitionFacts): Picture {
  const { columns, range, other } = facts
  const paper = paperOf(facts)
  const map = transitionMap(columns, range)
  const there = other && transitionMap(other, range)
  const named = namesOf(map, there)
  const grid: Grid = { ...named, at: gridOf(map, named.names) }
  const scene: Scene = {
    grid,
    paper,
    left: MARGIN + NAMES,
    top: TOP + HEAD,
    other: there && gridOf(there, named.names),
    most: map.cells.reduce((most, { count }) => Math.max(most, count), 1),
  }
  const numbers = named.names.map((_, index) => index)
  const { told, drawn } = readings(facts, scene, map)
  const size = named.names.length
  return framed(facts, {
    kind: 'transitions',
    heading: 'Map of transitions',
    lead: LEAD,
    bottom: scene.top + Math.max(2, size) * CELL.height + 30,
    body: [
      ...axes(scene),
      ...names(facts, scene),
      group(
        'g',
        { 'text-anchor': 'middle' },
        numbers.flatMap((row) => numbers.map((column) => cell(scene, row, column))),
      ),
      ...totals(scene),
      ...drawn,
    ],
    facts: [
      nText(drawnTurns(columns.turns, range), columns.turns),
      ...(there === null
        ? []
        : [`the small figure is how many more or fewer turns there (n = ${figure(there.turns)})`]),
    ],
    told,
  })
}
