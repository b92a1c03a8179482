import { expect, it } from 'vitest'
import { NO_TEXTS } from '../schema/event.ts'
import type { Session } from '../schema/session.ts'
import { droppedFacts } from './dropped.ts'

const session: Session = {
  id: 's',
  title: '',
  thread: 'main',
  parent: null,
  startedAt: null,
  cwd: null,
  events: [],
  texts: NO_TEXTS,
}
const clean = {
  format: 'native',
  sessions: [session, session],
  files: [],
  problemTotal: 0,
  skipped: {},
}

it('[R9] a native file that is exported whole loses nothing, and nothing is said', () => {
  expect(droppedFacts(clean)).toEqual([])
  expect(droppedFacts(clean, new Set([0, 1]))).toEqual([])
})

it('[R9] sessions not chosen, unusable lines, records without event, places and fields are said', () => {
  const transcript = {
    ...clean,
    format: 'codex',
    files: ['a.jsonl', 'b.jsonl'],
    problemTotal: 1,
    skipped: { progress: 3, usage: 12 },
  }
  expect(droppedFacts(transcript, new Set([1]))).toEqual([
    '1 session that you did not choose',
    '1 line that could not be used',
    '15 records that made no event: usage 12, progress 3',
    'which of the 2 files an event came from',
    'fields of the original records that make no event, and their places in the file',
  ])
})

it('[R9] of many types of records the most frequent six are named, and that there are more', () => {
  const skipped = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`t${at}`, at + 1]))
  const [fact] = droppedFacts({ ...clean, skipped })
  expect(fact).toBe(
    '45 records that made no event: t8 9, t7 8, t6 7, t5 6, t4 5, t3 4, and 3 types more',
  )
})
