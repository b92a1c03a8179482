import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { type WindowState, fitToScreens, readWindowState } from './window-state.ts'

const screen = { x: 0, y: 0, width: 1920, height: 1080 }
const saved: WindowState = { x: 100, y: 50, width: 1200, height: 800, maximized: false }
const folder = mkdtempSync(join(tmpdir(), 'turnscope-window-'))
const file = join(folder, 'window.json')
afterAll(() => rmSync(folder, { recursive: true }))

it('a first window is centred at 1440 x 900, smaller on a smaller screen', () => {
  const min = { minWidth: 800, minHeight: 560 }
  expect(fitToScreens(null, [screen])).toEqual({ width: 1440, height: 900, ...min })
  const small = { x: 0, y: 0, width: 1280, height: 720 }
  expect(fitToScreens(null, [small])).toEqual({ width: 1280, height: 720, ...min })
})

it('a saved place is kept on any screen that shows it', () => {
  expect(fitToScreens(saved, [screen])).toMatchObject({ x: 100, y: 50, width: 1200, height: 800 })
  const left = { x: -1920, y: 0, width: 1920, height: 1080 }
  expect(fitToScreens({ ...saved, x: -1500 }, [screen, left])).toMatchObject({ x: -1500 })
})

it.each([
  ['a screen that is gone', { x: -1500 }],
  ['a title bar above the screen', { y: -30 }],
  ['a title bar below the screen', { y: 1060 }],
  ['a sliver at the right edge', { x: 1900 }],
])('%s: the size is kept, the place is not', (_, change) => {
  const bounds = fitToScreens({ ...saved, ...change }, [screen])
  expect(bounds).toMatchObject({ width: 1200, height: 800 })
  expect(bounds).not.toHaveProperty('x')
})

it('whatever was saved, the window can be grabbed on some screen', () => {
  const side = fc.integer({ min: -30_000, max: 30_000 })
  const size = fc.integer({ min: 800, max: 20_000 })
  fc.assert(
    fc.property(side, side, size, size, (x, y, width, height) => {
      const bounds = fitToScreens({ x, y, width, height, maximized: false }, [screen])
      expect(bounds.width).toBeLessThanOrEqual(screen.width)
      expect(bounds.height).toBeLessThanOrEqual(screen.height)
      if (bounds.x === undefined || bounds.y === undefined) return
      expect(bounds.x).toBeLessThanOrEqual(screen.width - 80)
      expect(bounds.x + bounds.width).toBeGreaterThanOrEqual(80)
      expect(bounds.y).toBeGreaterThanOrEqual(0)
    }),
  )
})

it.each(['', '{"x":', '{}', '[]', '{"x":1,"y":1,"width":1e9,"height":1,"maximized":true}'])(
  'a damaged file is none: %s',
  (text) => {
    writeFileSync(file, text)
    expect(readWindowState(file)).toBeNull()
  },
)

it('what was written is read back; a missing file is none', () => {
  writeFileSync(file, JSON.stringify(saved))
  expect(readWindowState(file)).toEqual(saved)
  expect(readWindowState(`${file}.none`)).toBeNull()
})
