import { expect, it } from 'vitest'
import { createForks, type Said } from './forks.ts'

const said = (...texts: readonly string[]): readonly Said[] =>
  texts.map((text, at) => ({ seq: at + 1, kind: at % 2 === 0 ? 'user' : 'agent', text }))
const seqs = (found: ReadonlySet<number>) => [...found]

it('[I212] the events that a fork begins with are copies, whichever session comes first', () => {
  const forward = createForks()
  expect(seqs(forward.take({ id: 'a' }, said('one', 'two', 'three')))).toEqual([])
  expect(seqs(forward.take({ id: 'b', forkedFrom: 'a' }, said('one', 'two', 'four')))).toEqual([
    1, 2,
  ])
  const backward = createForks()
  expect(seqs(backward.take({ id: 'b', forkedFrom: 'a' }, said('one', 'two', 'four')))).toEqual([])
  expect(seqs(backward.take({ id: 'a' }, said('one', 'two', 'three')))).toEqual([1, 2])
})

it('[I212] two forks of one session, and a fork of a fork, are of one family', () => {
  const forks = createForks()
  forks.take({ id: 'b', forkedFrom: 'a' }, said('one', 'two'))
  expect(seqs(forks.take({ id: 'c', forkedFrom: 'a' }, said('one', 'x')))).toEqual([1])
  expect(seqs(forks.take({ id: 'd', forkedFrom: 'c' }, said('one', 'x', 'y')))).toEqual([1, 2])
})

it('[I212] equal sessions that do not name each other are no copies', () => {
  const forks = createForks()
  forks.take({ id: 'a' }, said('hello', 'hi'))
  expect(seqs(forks.take({ id: 'b' }, said('hello', 'hi')))).toEqual([])
  expect(seqs(forks.take({ id: 'c', forkedFrom: 'z' }, said('hello', 'hi')))).toEqual([])
})

it('[I212] notes and injected texts may differ', () => {
  const forks = createForks()
  forks.take({ id: 'a' }, said('one'))
  const meta: Said = { seq: 0, kind: 'meta', text: 'a' }
  expect(seqs(forks.take({ id: 'b', forkedFrom: 'a' }, [meta, ...said('one')]))).toEqual([1])
})
