import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { casesOf } from '../../../fixtures/cases.ts'
import type { PictureTheme, SessionStrip } from '../schema/picture.ts'
import { EVENT_CODES, type Flip, type ReplayColumns } from '../schema/replay.ts'
import { barsOfMessages, drawBudget } from './budget.ts'
import type { Decided } from './frame.ts'
import { binsOf, ticksOf } from './scale.ts'
import { drawSessions } from './sessions.ts'
import { stripOf } from './strip.ts'
import { cleaned, figure, fitted, percent, textWidth } from './text.ts'
import { drawTimeline } from './timeline.ts'
import { transitionMap } from './transition-map.ts'
import { drawTransitions } from './transitions.ts'

const side: Decided = {
  preset: 'recommended',
  domains: 'default',
  profile: null,
  hash: '0123456789ab',
}
const literal: Decided = { ...side, preset: 'literal', hash: 'ba9876543210' }
const THEMES: readonly PictureTheme[] = ['light', 'dark']

/** A session whose turns follow a rule, of so many turns and domains. */
function columnsOf(turns: number, domains: number): ReplayColumns {
  const all = Array.from({ length: turns }, (_, turn) => turn)
  const none = all.map(() => -1)
  const zero = all.map(() => 0)
  const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
  return {
    config,
    turns,
    domains: Array.from({ length: domains }, (_, at) => `domain ${at}`),
    seq: all.map((turn) => turn * 2),
    primary: all.map((turn) => Math.floor(turn / 7) % domains),
    scoredPrimary: all.map((turn) => (turn % 5 === 0 ? turn : Math.floor(turn / 7)) % domains),
    momentum: all.map((turn) => turn % 7),
    event: all.map((turn) => turn % EVENT_CODES.length),
    secondary: none,
    resisted: none,
    primaryScore: zero,
    secondaryScore: zero,
    rule: zero,
    enriched: zero,
    scoreStart: [0, ...zero],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
}

const flipsOf = (turns: number): readonly Flip[] =>
  Array.from({ length: Math.floor(turns / 3) }, (_, at) => ({
    turn: at * 3,
    other: at * 3,
    fields: ['primary'] as const,
    since: at * 3,
    cause: at % 2 === 0 ? ('direct' as const) : ('momentum' as const),
  }))

const about = (title: string, theme: PictureTheme = 'light') => ({
  title,
  theme,
  side,
  against: literal,
})

/** Every kind of picture of such a session. */
function all(title: string, turns: number, domains: number, theme: PictureTheme = 'light') {
  const columns = columnsOf(turns, domains)
  const flips = flipsOf(turns)
  const facts = { ...about(title, theme), columns, range: null }
  const strip = stripOf(title, columns, flips)
  const tokens = columns.seq.map((seq) => (seq * 37) % 5_000)
  const type = columns.seq.map(() => 0)
  const bars = barsOfMessages({ seq: columns.seq, type, confidence: type, tokens, budget: 4_000 })
  return [
    drawTimeline({ ...facts, other: { columns, flips } }),
    drawTransitions({ ...facts, other: columns }),
    drawSessions({ ...about(title, theme), strips: [strip, strip], unread: 0, left: 0 }),
    drawBudget({ ...about(title, theme), bars, of: 'message', missing: 0, estimator: 'chars4' }),
  ]
}

test('[U150] the same facts are the same text, unit for unit, in both themes', () => {
  for (const theme of THEMES) {
    const first = all('A session', 71, 6, theme)
    const second = all('A session', 71, 6, theme)
    expect(first.map(({ svg }) => svg)).toEqual(second.map(({ svg }) => svg))
  }
  const [light, dark] = THEMES.map((theme) => all('A session', 71, 6, theme)[0]?.svg)
  expect(light).not.toEqual(dark)
})

test('[U151] every picture says preset, hash of the configuration, and n', () => {
  for (const { svg, kind } of all('A session', 71, 6)) {
    expect(svg, kind).toContain('preset recommended · configuration 0123456789ab')
    expect(svg, kind).toMatch(/n = (?:71|142) (?:turns|messages)/u)
    if (kind !== 'budget')
      expect(svg, kind).toContain('against preset literal · configuration ba98')
  }
})

test('[U151] a part of a session says which part; a file as it ran has no hash', () => {
  const ran: Decided = { ...side, preset: 'what was recorded when it ran', hash: null }
  const facts = { ...about('A session'), against: ran, columns: columnsOf(200, 4) }
  const { svg } = drawTimeline({ ...facts, range: [10, 60], other: null })
  expect(svg).toContain('n = 51 turns (10 to 60 of 200)')
  expect(svg).toContain('against what was recorded when it ran')
})

test('[U152] what strangers called it is escaped, cleaned and cut', () => {
  const hostile = `</text><script>alert(1)</script>&"'\u202e\u0000\ud800${'long '.repeat(5_000)}`
  for (const { svg, kind, title } of all(hostile, 40, 5)) {
    expect(svg, kind).not.toMatch(/<script|\p{Cc}(?<!\n)|[\u202e\ud800]/u)
    expect(svg, kind).toContain('&lt;/text&gt;&lt;script&gt;')
    expect(title.length, kind).toBeLessThan(500)
  }
})

test('[U152] a hundred thousand turns and sixty domains are a picture of bounded size', () => {
  for (const { svg, kind, height } of all('Large', 100_000, 60)) {
    expect(svg.length, kind).toBeLessThan(500_000)
    expect(height, kind).toBeLessThan(1_200)
  }
  const strip: SessionStrip = stripOf('One of many', columnsOf(5_000, 11), flipsOf(5_000))
  const strips = Array.from({ length: 900 }, () => strip)
  const many = drawSessions({ ...about('Folder'), strips, unread: 3, left: 12 })
  expect(many.svg.length).toBeLessThan(6_000_000)
  expect(many.svg.includes('840 more sessions not drawn')).toBe(true)
  expect(many.svg.includes('12 more files not looked at')).toBe(true)
  expect(many.svg.includes('3 files could not be read')).toBe(true)
})

test('[U152] a session without a turn is a picture too', () => {
  for (const { svg, kind } of all('', 0, 3)) {
    expect(svg, kind).not.toMatch(/NaN|Infinity|undefined|null/u)
    expect(svg, kind).toContain('a session without a title')
  }
})

test('[U152] no text is wider than its room, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.integer({ min: 20, max: 900 }),
      (text, room) => {
        const shown = fitted(text, room, 12)
        expect(textWidth(shown, 12)).toBeLessThanOrEqual(Math.max(room, textWidth('…', 12)))
        expect(cleaned(shown)).toBe(shown)
      },
    ),
    casesOf('draw: any text'),
  )
})

test('[U152] columns share all turns evenly and in order', () => {
  fc.assert(
    fc.property(
      fc.nat(5_000),
      fc.nat(5_000),
      fc.integer({ min: 1, max: 400 }),
      (from, turns, most) => {
        const bins = binsOf(from, from + turns, most)
        expect(bins.length).toBe(Math.min(turns, most))
        expect(bins.flatMap((bin) => Array.from({ length: bin.to - bin.from })).length).toBe(turns)
        for (const [index, bin] of bins.entries())
          expect(bin.from).toBe(index === 0 ? from : bins[index - 1]?.to)
      },
    ),
  )
})

test('[U153] the map holds every turn once, by what its text alone said and what was held', () => {
  const columns = columnsOf(200, 6)
  const { cells, domains, turns } = transitionMap(columns, null)
  expect(turns).toBe(200)
  expect(cells.flatMap((cell) => [...cell.turns]).toSorted((a, b) => a - b)).toEqual(
    columns.seq.map((_, turn) => turn),
  )
  for (const { alone, held, turns: inside, count } of cells) {
    expect(count).toBe(inside.length)
    for (const turn of inside) {
      expect(columns.domains[columns.scoredPrimary[turn] ?? -1]).toBe(domains[alone])
      expect(columns.domains[columns.primary[turn] ?? -1]).toBe(domains[held])
    }
  }
  const part = transitionMap(columns, [11, 20])
  expect(part.cells.flatMap((cell) => [...cell.turns]).toSorted((a, b) => a - b)).toEqual([
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ])
})

test('[U154] a flip that keeps the first domain is outlined; others show what they become', () => {
  const columns = columnsOf(30, 3)
  const flip = { turn: 2, other: 2, since: 2, cause: 'direct' } as const
  const draw = (fields: Flip['fields']) =>
    drawTimeline({
      ...about('Flips'),
      columns,
      range: null,
      other: { columns, flips: [{ ...flip, fields }] },
    }).svg
  const filled = draw(['primary']).split('<rect').length
  expect(draw(['secondary']).split('<rect').length).toBe(filled)
  expect(draw(['secondary'])).not.toBe(draw(['primary']))
  const { svg, told } = drawTimeline({ ...about('Part'), columns, range: [11, 20], other: null })
  expect(svg).toContain('strong from 3')
  expect(told).toContain('of 10 turns')
})

test('[B23] ambiguous turns are a row of the timeline, only where the preset names a margin', () => {
  const columns = columnsOf(30, 3)
  const draw = (of: ReplayColumns, range: readonly [number, number] | null = null) =>
    drawTimeline({ ...about('Ties'), columns: of, range, other: null })
  expect(draw(columns).svg).not.toContain('>ambiguous<')
  expect(draw(columns).told).not.toContain('does not decide')
  const ambiguous = [2, 9, 10].map((turn) => ({ turn, between: [0, 1], lead: 0 }))
  const all = draw({ ...columns, ambiguous })
  expect(all.svg).toContain('>ambiguous<')
  expect(all.svg).toContain('the text alone does not decide')
  expect(all.told).toContain('The text alone does not decide on 3 turns (10 %).')
  // Two boxes for each marked turn, and two in the key.
  const rects = (svg: string) => svg.split('<rect').length
  expect(rects(all.svg) - rects(draw(columns).svg)).toBe(3 * 2 + 2)
  const part = draw({ ...columns, ambiguous }, [10, 11])
  expect(part.told).toContain('does not decide on 2 turns')
  expect(draw({ ...columns, ambiguous: [] }).told).toContain('does not decide on 0 turns')
})

test('[B23] of a column of several turns the mark is as high as their share', () => {
  const columns = columnsOf(3_000, 3)
  // The first column of ten turns is marked whole, the second half, and of the third one turn.
  const turns = [...Array.from({ length: 15 }, (_, turn) => turn), 25]
  const ambiguous = turns.map((turn) => ({ turn, between: [0, 1], lead: 0 }))
  const { svg } = drawTimeline({
    ...about('Long'),
    columns: { ...columns, ambiguous },
    range: null,
    other: null,
  })
  const rows = svg.slice(svg.indexOf('>ambiguous<'), svg.indexOf('>momentum<'))
  const heights = [...rows.matchAll(/<rect[^>]* height="([\d.]+)"[^>]*stroke/gu)].map(([, h]) => h)
  expect(heights).toEqual(['10', '5', '2'])
})

test('[U155] sessions with most flips stand first, and their sum is told', () => {
  const few = stripOf('few', columnsOf(60, 4), flipsOf(6))
  const more = stripOf('more', columnsOf(60, 4), flipsOf(30))
  const { svg, told } = drawSessions({
    ...about('Folder'),
    strips: [few, more],
    unread: 0,
    left: 0,
  })
  expect(svg.indexOf('>more<')).toBeLessThan(svg.indexOf('>few<'))
  expect(told).toBe('2 sessions with 120 turns. 12 turns flip (10 %), in 2 sessions.')
})

test('[U156] a prompt over its budget is marked', () => {
  const type = [0, 0]
  const seq = [0, 4]
  const bars = barsOfMessages({ seq, type, confidence: type, tokens: [900, 1_400], budget: 1_000 })
  const facts = { ...about('Budget'), of: 'message', missing: 0, estimator: 'chars4' } as const
  const { svg, told } = drawBudget({ ...facts, bars })
  expect(told).toContain('The fullest is message 2 with 1,400 of 1,000 tokens; 1 message went over')
  expect(svg.match(/<polygon/gu)).toHaveLength(2)
})

test('figures are the same in every locale; a share never says more than it is', () => {
  expect([figure(0), figure(999), figure(1_000), figure(1_234_567)]).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
  ])
  expect([percent(1, 1_000), percent(999, 1_000), percent(0, 5), percent(0, 0)]).toEqual([
    '< 1 %',
    '> 99 %',
    '0 %',
    '–',
  ])
  expect([...ticksOf(47, 10)]).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45])
})
