import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import { type Client, RpcError } from '../../../core/wire/rpc.ts'
import { setHost } from '../../app/host.ts'
import { createQuery } from '../../app/query.ts'
import { type Composed, type Trial, PAUSE_MS, composing } from './trial.ts'

const trial = (text: string): Trial => ({
  text,
  type: null,
  drafts: {},
  variables: { today: '', tools: 'x' },
  budget: null,
})

interface Asked {
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
  readonly answer: (problem: string) => void
  readonly fail: (error: unknown) => void
}

/** A client that notes every question and is answered by hand. */
function scripted(asked: Asked[]): Client<TurnscopeContract> {
  const call = (_: string, input: unknown, signal?: AbortSignal) =>
    new Promise((resolve, reject) => {
      const { text, variables } = input as Trial // text to compose
      const answer = (problem: string) => resolve({ problem })
      asked.push({ text, variables, signal, answer, fail: reject })
    })
  return { call, subscribe: () => () => undefined } as unknown as Client<TurnscopeContract> // only `call` is used
}

describe('the composer of the playground', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    setHost(null)
  })

  function start() {
    const asked: Asked[] = []
    const told: unknown[] = []
    setHost(scripted(asked))
    const query = createQuery<Composed>()
    query.subscribe(() => {
      const data = query.get()
      if (data.status === 'ready') told.push(data.value.problem)
      if (data.status === 'failed') told.push(data.failure.what)
    })
    const compose = (text: string) => query.show(composing('recommended', trial(text)), PAUSE_MS)
    return { asked, told, compose, stop: query.leave }
  }

  it('waits for a pause and asks once, without variables that are empty', async () => {
    const { asked, compose } = start()
    compose('a')
    await vi.advanceTimersByTimeAsync(100)
    compose('ab')
    await vi.advanceTimersByTimeAsync(200)
    expect(asked.map(({ text, variables }) => ({ text, variables }))).toEqual([
      { text: 'ab', variables: { tools: 'x' } },
    ])
  })

  it('cancels what is under way and never tells an old answer', async () => {
    const { asked, told, compose } = start()
    compose('old')
    await vi.advanceTimersByTimeAsync(200)
    compose('new')
    expect(asked[0]?.signal?.aborted).toBe(true)
    await vi.advanceTimersByTimeAsync(200)
    asked[1]?.answer('of new')
    asked[0]?.answer('of old')
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['of new'])
  })

  it('tells a failure, but none of its own cancelling', async () => {
    const { asked, told, compose, stop } = start()
    compose('a')
    await vi.advanceTimersByTimeAsync(200)
    asked[0]?.fail(new RpcError('REFUSED', 'no such preset'))
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['No such preset'])
    compose('b')
    await vi.advanceTimersByTimeAsync(200)
    stop()
    asked[1]?.fail(new RpcError('CLOSED', 'cancelled'))
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toHaveLength(1)
  })
})
