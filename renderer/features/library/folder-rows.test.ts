import { expect, it } from 'vitest'
import { tableRows } from './folder-rows.ts'
import type { Entry, Sort } from '../../app/folders-state.ts'

function entry(name: string, inside: string, turns: number | null): Entry {
  const stats = turns === null ? null : { turns, domains: [{ name: 'coding', turns }], flips: null }
  return {
    path: `/f/${inside}/${name}`,
    name,
    inside,
    bytes: 1,
    modifiedAt: 1,
    state: turns === null ? 'failed' : 'read',
    problem: turns === null ? { what: 'torn', where: name, do: '' } : null,
    format: 'native',
    formatLabel: 'Native',
    title: null,
    startedAt: null,
    sessions: 1,
    events: 1,
    problems: 0,
    stats: stats && { ...stats, breaks: 0, held: 0, resisted: 0, signals: 0, errors: 0 },
  }
}

const all = [entry('b', 'x', 3), entry('a', 'x', 9), entry('c', '', null), entry('d', '', 4)]
const entries = new Map(all.map((one) => [one.path, one]))
const shape = (filter: string, sort: Sort, grouped: boolean) =>
  tableRows(entries, filter, sort, grouped).map((row) =>
    row.kind === 'group' ? `[${row.inside} ${row.files}/${row.turns}]` : row.entry.name,
  )

it('[U7] sorts by a column either way; what is not known stands last', () => {
  expect(shape('', { column: 'turns', down: true }, false)).toEqual(['a', 'd', 'b', 'c'])
  expect(shape('', { column: 'turns', down: false }, false)).toEqual(['b', 'd', 'a', 'c'])
})

it('[U7] groups by folder, sorted inside, and needs no header for one folder', () => {
  const sort = { column: 'name', down: false } as const
  expect(shape('', sort, true)).toEqual(['[ 2/4]', 'c', 'd', '[x 2/12]', 'a', 'b'])
  expect(shape('a', sort, true)).toEqual(['[ 2/4]', 'c', 'd', '[x 2/12]', 'a', 'b'])
  expect(shape('torn', sort, true)).toEqual(['c'])
})

it('[U7] every word of the filter has to occur, in a name, a format or a domain', () => {
  const sort = { column: 'name', down: false } as const
  expect(shape('coding nativ', sort, false)).toEqual(['a', 'b', 'd'])
  expect(shape('coding nothing', sort, false)).toEqual([])
})

it('[U62] under grouping, the group with the first file stands first, either way', () => {
  expect(shape('', { column: 'turns', down: true }, true)).toEqual([
    '[x 2/12]',
    'a',
    'b',
    '[ 2/4]',
    'd',
    'c',
  ])
  expect(shape('', { column: 'turns', down: false }, true)).toEqual([
    '[x 2/12]',
    'b',
    'a',
    '[ 2/4]',
    'd',
    'c',
  ])
  expect(shape('', { column: 'name', down: true }, true)).toEqual([
    '[x 2/12]',
    'b',
    'a',
    '[ 2/4]',
    'd',
    'c',
  ])
})

/** Two folders of three files each; of the middle one of each nothing is known. */
const known = ['x', 'y'].flatMap((inside, folder) =>
  [1, null, 2].map((rank, at): Entry => {
    const base = entry(`${inside}${at}`, inside, rank)
    const name = String(rank ?? '')
    const counts = { flips: rank, breaks: rank ?? 0, held: rank ?? 0, signals: rank ?? 0 }
    return {
      ...base,
      problems: rank ?? 0,
      modifiedAt: at + folder * 10,
      formatLabel: rank === null ? null : name,
      stats: base.stats && {
        ...base.stats,
        ...counts,
        errors: rank ?? 0,
        domains: [{ name, turns: 1 }],
      },
    }
  }),
)
const COLUMNS = [
  ...(['format', 'turns', 'domains', 'flips', 'breaks'] as const),
  ...(['held', 'signals', 'errors', 'problems'] as const),
]

it.each(COLUMNS)(
  '[U7] [U62] grouped by folder, %s sorts either way, unknown ones last',
  (column) => {
    const rows = (down: boolean) =>
      tableRows(new Map(known.map((one) => [one.path, one])), '', { column, down }, true).map(
        (row) => (row.kind === 'group' ? row.inside : row.entry.name),
      )
    expect(rows(false)).toEqual(['x', 'x0', 'x2', 'x1', 'y', 'y0', 'y2', 'y1'])
    expect(rows(true)).toEqual(['x', 'x2', 'x0', 'x1', 'y', 'y2', 'y0', 'y1'])
  },
)
