import fc from 'fast-check'
import { replayOf, withOwn } from '../../fixtures/timeline-rows.ts'
import { describe, expect, it } from 'vitest'
import { keyAction } from './keys.ts'
import { findRow, layoutRows, plotBottom, rowAt } from './layout.ts'
import { tickStep, ticks } from './ticks.ts'
import {
  type Viewport,
  MIN_SPAN,
  clampTo,
  ensureVisible,
  fit,
  fullSpan,
  isFit,
  nearestTurn,
  pan,
  positionAt,
  span,
  turnAt,
  xOf,
  zoom,
} from './viewport.ts'

const turnsArb = fc.integer({ min: 0, max: 100_000 })
const viewArb = turnsArb.chain((turns) =>
  fc
    .record({
      factor: fc.double({ min: 1, max: 1e5, noNaN: true }),
      about: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ factor, about }) => ({
      turns,
      view: zoom(fit(turns), factor, about * fullSpan(turns), turns),
    })),
)

function inBounds(view: Viewport, turns: number): void {
  expect(view.from).toBeGreaterThanOrEqual(0)
  expect(view.to).toBeLessThanOrEqual(fullSpan(turns) + 1e-6)
  expect(span(view)).toBeGreaterThanOrEqual(MIN_SPAN - 1e-6)
}

describe('viewport', () => {
  it('never leaves the session, whatever is done to it', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('zoom' as const),
        by: fc.double({ min: 0.01, max: 100, noNaN: true }),
        at: fc.double({ min: -1, max: 2, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant('pan' as const),
        by: fc.double({ min: -2e5, max: 2e5, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant('show' as const),
        turn: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(turnsArb, fc.array(step, { maxLength: 20 }), (turns, steps) => {
        let view = fit(turns)
        for (const one of steps) {
          if (one.kind === 'zoom') view = zoom(view, one.by, view.from + one.at * span(view), turns)
          else if (one.kind === 'pan') view = pan(view, one.by, turns)
          else view = ensureVisible(view, Math.floor(one.turn * Math.max(0, turns - 1)), turns)
          inBounds(view, turns)
        }
      }),
    )
  })

  it('keeps the turn under the pointer while zooming away from the ends', () => {
    const start = { from: 4000, to: 6000 }
    const next = zoom(start, 2, 4500, 10_000)
    expect(xOf(4500, next, 800)).toBeCloseTo(xOf(4500, start, 800), 6)
    expect(span(next)).toBe(1000)
  })

  it('comes back when zoomed in and out about the same turn', () =>
    fc.assert(
      fc.property(viewArb, fc.double({ min: 0, max: 1, noNaN: true }), ({ turns, view }, share) => {
        const about = view.from + share * span(view)
        const factor = Math.min(1.6, span(view) / MIN_SPAN)
        const back = zoom(zoom(view, factor, about, turns), 1 / factor, about, turns)
        expect(back.from).toBeCloseTo(view.from, 4)
        expect(back.to).toBeCloseTo(view.to, 4)
      }),
    ))

  it('shows the whole turn after ensureVisible, at the same zoom, and stays when it was visible', () =>
    fc.assert(
      fc.property(
        viewArb,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        ({ turns, view }, at) => {
          const turn = Math.floor(at * turns)
          const next = ensureVisible(view, turn, turns)
          expect(next.from).toBeLessThanOrEqual(turn + 1e-6)
          expect(next.to).toBeGreaterThanOrEqual(turn + 1 - 1e-6)
          expect(span(next)).toBeCloseTo(span(view), 6)
          expect(ensureVisible(next, turn, turns).from).toBeCloseTo(next.from, 6)
        },
      ),
    ))

  it('fits a shorter replay after a longer one', () => {
    expect(clampTo({ from: 900, to: 1000 }, 50)).toEqual({ from: 0, to: 50 })
    expect(clampTo({ from: 900, to: 1000 }, 950)).toEqual({ from: 850, to: 950 })
    expect(isFit(fit(3), 3)).toBe(true)
    expect(fit(3)).toEqual({ from: 0, to: 8 })
  })
})

describe('hit', () => {
  it('hit(x(turn)) is the turn, at any zoom', () =>
    fc.assert(
      fc.property(
        viewArb,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 100, max: 3000 }),
        ({ turns, view }, at, width) => {
          fc.pre(turns > 0)
          const turn = Math.min(turns - 1, Math.floor(view.from + at * span(view)))
          const x = xOf(turn + 0.5, view, width)
          expect(turnAt(x, view, width, turns)).toBe(turn)
          expect(nearestTurn(x, view, width, turns)).toBe(turn)
          expect(positionAt(x, view, width)).toBeCloseTo(turn + 0.5, 5)
        },
      ),
    ))

  it('is null beside the session, while dragging stops at its ends', () => {
    expect(turnAt(790, fit(3), 800, 3)).toBeNull()
    expect(nearestTurn(790, fit(3), 800, 3)).toBe(2)
    expect(nearestTurn(-50, fit(3), 800, 3)).toBe(0)
    expect(nearestTurn(5, fit(0), 800, 0)).toBeNull()
  })
})

describe('ticks', () => {
  it('are 1-based round numbers that never touch', () =>
    fc.assert(
      fc.property(viewArb, fc.integer({ min: 200, max: 2000 }), ({ turns, view }, width) => {
        const row = ticks(view, width, turns)
        for (const [at, tick] of row.entries()) {
          expect(tick.turn).toBeLessThan(turns)
          expect(tick.label.replaceAll(',', '')).toBe(String(tick.turn + 1))
          const before = row[at - 1]
          if (before !== undefined && before.turn > 0)
            expect(tick.x - before.x).toBeGreaterThanOrEqual(7 * tick.label.length)
        }
      }),
    ))

  it('steps by 1, 2 or 5 times a power of ten', () => {
    expect(tickStep(100, 30)).toBe(1)
    expect(tickStep(12, 30)).toBe(5)
    expect(tickStep(0.0062, 70)).toBe(20_000)
    expect(ticks({ from: 0, to: 48 }, 600, 48).map((tick) => tick.label)).toEqual([
      '1',
      '5',
      '10',
      '15',
      '20',
      '25',
      '30',
      '35',
      '40',
      '45',
    ])
  })
})

interface Request {
  readonly height?: number
  readonly domains?: readonly number[]
  readonly weight?: (domain: number) => number
  readonly unused?: boolean
  readonly compare?: boolean
}

const request = ({ unused = true, compare = true, ...more }: Request) => ({
  height: 320,
  domains: [0, 1, 2, 3, 4, 5, 6, 7],
  weight: (domain: number) => 100 - domain,
  lanes: withOwn(replayOf([0], { unused: unused ? [0] : [], compare })),
  ...more,
})

describe('lanes', () => {
  it('stacks every row inside the panel without overlap, for any height and number of domains', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 120, max: 1200 }),
        fc.integer({ min: 0, max: 90 }),
        fc.boolean(),
        fc.boolean(),
        (height, count, unused, compare) => {
          const domains = Array.from({ length: count }, (_, at) => at)
          const layout = layoutRows(request({ height, domains, unused, compare }))
          let bottom = 0
          for (const row of layout.rows) {
            expect(row.y).toBeGreaterThanOrEqual(bottom)
            expect(row.height).toBeGreaterThan(0)
            bottom = row.y + row.height
            expect(rowAt(layout, row.y + row.height / 2)).toBe(row)
          }
          expect(bottom).toBeLessThanOrEqual(height)
          const shown = layout.rows.filter((row) => row.id === 'domain').map((row) => row.domain)
          expect([...shown, ...layout.others].sort((a, b) => a - b)).toEqual(domains)
          expect(plotBottom(layout)).toBeLessThanOrEqual(height)
        },
      ),
    ))

  it('gives the least used domains one shared lane when there is no room, in display order', () => {
    const domains = Array.from({ length: 40 }, (_, at) => at)
    const layout = layoutRows(request({ domains, weight: (domain) => domain }))
    const own = layout.rows.filter((row) => row.id === 'domain').map((row) => row.domain)
    expect(findRow(layout, 'others')).not.toBeNull()
    expect(own).toEqual(domains.slice(-own.length))
    expect(layout.laneHeight).toBeGreaterThanOrEqual(12)
  })

  it('drops the strip, the fold line and the roles before it drops momentum', () => {
    const kinds = (height: number) => layoutRows(request({ height })).rows.map((row) => row.id)
    expect(kinds(320)).toContain('overview')
    expect(kinds(150)).not.toContain('overview')
    expect(kinds(150)).toContain('signature')
    expect(kinds(150)).toContain('ruler')
  })
})

describe('keys', () => {
  const press = (key: string, more = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  })
  const view = { from: 0, to: 100 }

  it('moves the selection and stops at the ends', () => {
    const to = (key: string, selected: number | null) => keyAction(press(key), selected, view, 200)
    expect(to('ArrowRight', 5)).toEqual({ kind: 'select', turn: 6 })
    expect(to('ArrowRight', 199)).toEqual({ kind: 'select', turn: 199 })
    expect(to('ArrowLeft', 0)).toEqual({ kind: 'select', turn: 0 })
    expect(to('ArrowRight', null)).toEqual({ kind: 'select', turn: 0 })
    expect(to('ArrowLeft', null)).toEqual({ kind: 'select', turn: 199 })
    expect(to('PageDown', 5)).toEqual({ kind: 'select', turn: 85 })
    expect(to('PageUp', 85)).toEqual({ kind: 'select', turn: 5 })
    expect(to('Home', 85)).toEqual({ kind: 'select', turn: 0 })
    expect(to('End', null)).toEqual({ kind: 'select', turn: 199 })
  })

  it('zooms, fits, and leaves other keys and shortcuts to the page', () => {
    expect(keyAction(press('+'), 5, view, 200)).toEqual({ kind: 'zoom', factor: 1.6 })
    expect(keyAction(press('0'), 5, view, 200)).toEqual({ kind: 'fit' })
    expect(keyAction(press('j'), 5, view, 200)).toBeNull()
    expect(keyAction(press('0', { ctrlKey: true }), 5, view, 200)).toBeNull()
    expect(keyAction(press('ArrowRight'), null, view, 0)).toBeNull()
  })
})
