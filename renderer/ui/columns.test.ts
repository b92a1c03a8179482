import { expect, test } from 'vitest'
import { classOf, lineAt, sortOf, stepOf } from './columns.ts'

const PAGE = 12

test('arrow, page, Home and End keys move; j and k only where they do nothing else', () => {
  expect(stepOf('ArrowDown', PAGE)).toBe(1)
  expect(stepOf('PageUp', PAGE)).toBe(-PAGE)
  expect(stepOf('End', PAGE)).toBe(Infinity)
  expect(stepOf('j', PAGE)).toBeUndefined()
  expect(stepOf('k', PAGE, true)).toBe(-1)
  expect(stepOf('Enter', PAGE, true)).toBeUndefined()
})

/** Headings are upper case and cannot be selected. */
const LINES = ['A', 'a1', 'a2', 'B', 'b1']
const canStand = (at: number) => LINES[at] === LINES[at]?.toLowerCase()
const go = (from: number, by: number) => LINES[lineAt(LINES.length, canStand, { from, by })]

test('headings are skipped on the way', () => {
  expect(go(2, 1)).toBe('b1')
  expect(go(4, -1)).toBe('a2')
})

test('the ends hold: the first row stays, although a heading is above it', () => {
  expect(go(1, -1)).toBe('a1')
  expect(go(4, 1)).toBe('b1')
  expect(go(4, -Infinity)).toBe('a1')
  expect(go(1, Infinity)).toBe('b1')
})

test('from nowhere a key leads to a row', () => {
  expect(go(-1, 1)).toBe('a1')
  expect(go(-1, -1)).toBe('a1')
})

test('where there is nothing to stand on, nothing is reached', () => {
  expect(lineAt(0, () => true, { from: -1, by: 1 })).toBe(-1)
  expect(lineAt(2, () => false, { from: -1, by: 1 })).toBe(-1)
})

test('only columns that can be sorted by say an order', () => {
  const by = { column: 'turns', down: true }
  expect(sortOf({ sort: 'turns' }, by)).toBe('descending')
  expect(sortOf({ sort: 'turns' }, { ...by, down: false })).toBe('ascending')
  expect(sortOf({ sort: 'flips' }, by)).toBe('none')
  expect(sortOf({}, by)).toBeUndefined()
})

test('a class may depend on the row; a cell without one has none', () => {
  const cell = (row: number) => row
  const className = (row: number) => (row > 0 ? 'bad' : '')
  expect(classOf({ cell, num: true, className }, 1)).toBe('num bad')
  expect(classOf({ cell, num: true, className }, 0)).toBe('num')
  expect(classOf({ cell }, 0)).toBeUndefined()
})
