import { expect, it } from 'vitest'
import type { Head } from './store.ts'
import { threadNote } from '../../core/wire/thread-note.ts'
import { sessionTree } from './session-tree.ts'

const head = (
  index: number,
  id: string,
  parent: string | null,
  startedAtEvent: number | null = null,
): Head => ({
  index,
  id,
  title: id,
  thread: parent === null ? 'main' : id,
  parent,
  startedAtEvent,
  startedAt: null,
  cwd: null,
  events: 1,
  kinds: {},
})
const shape = (heads: readonly Head[]) =>
  sessionTree(heads).map(({ head: { id }, depth }) => `${depth} ${id}`)

it('hangs sub-agents under the session that started them', () => {
  const heads = [head(0, 'a', null), head(1, 'b', null), head(2, 'a1', 'a'), head(3, 'a2', 'a1')]
  expect(shape(heads)).toEqual(['0 a', '1 a1', '2 a2', '0 b'])
})

it('lists every session once, also those whose parent is missing, themselves or each other', () => {
  const heads = [head(0, 'a', 'gone'), head(1, 'b', 'b'), head(2, 'c', 'd'), head(3, 'd', 'c')]
  expect(shape(heads).toSorted()).toEqual(['0 a', '0 b', '0 c', '1 d'])
})

it('[I102] sub-agents stand in the order of their calls, and say which event started them', () => {
  const heads = [
    head(0, 'a', null),
    head(1, 'a1', 'a'),
    head(2, 'a2', 'a', 7),
    head(3, 'a3', 'a', 2),
  ]
  expect(shape(heads)).toEqual(['0 a', '1 a3', '1 a2', '1 a1'])
  expect(sessionTree(heads).map((branch) => threadNote(branch.head))).toEqual([
    null,
    'sub-agent a3, started by event\u00a03',
    'sub-agent a2, started by event\u00a08',
    'sub-agent a1',
  ])
})
