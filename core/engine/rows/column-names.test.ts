import { expect, it } from 'vitest'
import { findColumns } from './column-names.ts'

const WHERE = 'turns.csv'

it.each([
  [
    ['Session_ID', 'role', 'Content', 'created_at', 'other'],
    { session: 'Session_ID', turn: 'created_at', message: 'Content', kind: 'role' },
  ],
  [['thread', 'text'], { session: 'thread', turn: null, message: 'text', kind: null }],
  // The likelier name counts, at any position.
  [
    ['date', 'chat_id', 'conversation', 'seq', 'prompt', 'message', 'author', 'kind'],
    { session: 'conversation', turn: 'seq', message: 'message', kind: 'kind' },
  ],
])('[F114] columns are found by name, in any case: %j', (names, wanted) => {
  expect(findColumns(names, {}, WHERE)).toEqual({ ok: true, value: wanted })
})

it('[F114] a column that is named counts before one that has a known name', () => {
  const names = ['session', 'message', 'said', 'at', 'turn', 'role', 'who']
  const given = { message: 'said', turn: 'at', kind: 'who' }
  expect(findColumns(names, given, WHERE)).toEqual({
    ok: true,
    value: { session: 'session', turn: 'at', message: 'said', kind: 'who' },
  })
})

it.each([
  [['message'], {}, 'no column says the session; there are message', 'session'],
  [['id', 'session'], {}, 'no column says the message; there are id, session', 'message'],
  [['session', 'text'], { turn: 'AT' }, 'there is no column "AT"; there are session, text', 'turn'],
  // Names that are given are those of the table, letter by letter.
  [['session', 'text'], { message: 'TEXT' }, 'there is no column "TEXT"', 'message'],
  [['session', 'text'], { kind: 'role' }, 'there is no column "role"', 'kind'],
] as const)(
  '[F114] what is missing is said, with what there is: %j %j',
  (names, given, what, part) => {
    expect(findColumns(names, given, WHERE)).toMatchObject({
      ok: false,
      error: {
        what: expect.stringContaining(what) as string,
        where: WHERE,
        do: `Name it: --columns ${part}=NAME`,
      },
    })
  },
)
