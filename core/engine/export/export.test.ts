import { expect, test } from 'vitest'
import { NO_TEXTS } from '../schema/event.ts'
import type { Session } from '../schema/session.ts'
import { comparisonMarkdown } from './markdown.ts'
import { csvLines, type Replayed } from './csv.ts'

const session: Session = {
  id: '=cmd|calc',
  title: '',
  thread: 'main',
  parent: null,
  startedAt: null,
  cwd: null,
  events: [],
  texts: NO_TEXTS,
}

test('[U129] no cell of a table is a formula, and no text ends its cell', () => {
  const one = [0]
  const columns = {
    config: {} as never,
    domains: ['a,"b"'],
    turns: 1,
    seq: one,
    primary: one,
    secondary: [-1],
    primaryScore: one,
    secondaryScore: one,
    scoredPrimary: one,
    momentum: one,
    event: one,
    rule: one,
    resisted: [-1],
    enriched: one,
    scoreStart: [],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
  const [, row = ''] = [...csvLines([{ session, columns }], (text) => text)]
  expect(row.startsWith("'=cmd|calc,1,0,")).toBe(true)
  expect(row).toContain('"a,""b"""')
  const flip = { turn: 0, other: 0, fields: [], cause: 'direct', since: 0 } as const
  const rows = [{ flip, before: 'a', after: 'b', text: '| x |\n<img src=x> `y` #14 @me' }]
  const text = comparisonMarkdown({
    session: 's',
    turns: 1,
    sides: ['a', 'b'],
    rows,
    redact: (each) => each,
  })
  const last = text.trim().split('\n').at(-1) ?? ''
  expect(last.split('|')).toHaveLength(7)
  for (const sign of ['<', '`', '#14', '@'])
    expect(last.replaceAll(/&#\d+;/gu, '')).not.toContain(sign)
})

test('[B23] the table says between which domains the text of a turn does not decide', () => {
  const zero = [0, 0, 0]
  const columns = {
    config: {} as never,
    domains: ['coding', 'planning'],
    turns: 3,
    seq: [0, 1, 2],
    primary: zero,
    secondary: zero,
    primaryScore: zero,
    secondaryScore: zero,
    scoredPrimary: zero,
    momentum: zero,
    event: zero,
    rule: zero,
    resisted: [-1, -1, -1],
    enriched: zero,
    scoreStart: [],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
  const cells = (each: Replayed['columns']) =>
    [...csvLines([{ session, columns: each }], (text) => text)].map(
      (row) => row.trimEnd().split(',').at(-1) ?? '',
    )
  const ambiguous = [0, 2].map((turn) => ({ turn, between: [1, 0], lead: 0 }))
  expect(cells({ ...columns, ambiguous })).toEqual([
    'ambiguous',
    'planning or coding',
    '',
    'planning or coding',
  ])
  expect(cells(columns)).toEqual(['ambiguous', '', '', ''])
})
