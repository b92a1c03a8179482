import { expect, it } from 'vitest'
import { readTurnRow } from './turn-row.ts'

const read = (row: unknown, prefix = '') => readTurnRow(JSON.stringify(row), prefix)

it('[F110] a row without a kind is what a person said; others pass through as they are written', () => {
  const line = '{"session":7, "turn":1,"x":1.50,"message":"hi","n":{"a":[1e3]}}'
  expect(readTurnRow(line, '')).toEqual({
    ok: true,
    value: {
      session: '7',
      turn: 1,
      kind: 'user',
      message: 'hi',
      passed: '"session":7,"turn":1,"x":1.50,"n":{"a":[1e3]}',
    },
  })
})

it('[F110] a number and a text are two sessions', () => {
  const sessions = [1, '1'].map((session) => {
    const row = read({ session, turn: 1, message: '', kind: 'tool_result' })
    return row.ok ? [row.value.session, row.value.kind] : row.error
  })
  expect(sessions).toEqual([
    ['1', 'tool_result'],
    ['"1"', 'tool_result'],
  ])
})

it.each([
  [{ turn: 1, message: '' }, 'session'],
  [{ session: '', turn: 1, message: '' }, 'session'],
  [{ session: 'a', turn: 1.5, message: '' }, 'turn'],
  [{ session: 'a', turn: 1 }, 'message'],
  [{ session: 'a', turn: 1, message: '', kind: 'person' }, 'kind'],
])('[F110] a row that cannot be used says which member is wrong: %j', (row, member) => {
  expect(read(row)).toEqual({ ok: false, error: expect.stringContaining(member) as string })
})

it('[F110] a member that would be added is refused, and not with a prefix', () => {
  const row = { session: 'a', turn: 1, message: '', fired: 2 }
  expect(read(row)).toEqual({
    ok: false,
    error: expect.stringContaining('choose another --prefix') as string,
  })
  expect(read(row, 'ts_').ok).toBe(true)
  expect(readTurnRow('{"session":', '')).toEqual({
    ok: false,
    error: expect.stringContaining('not JSON') as string,
  })
})
