import { beforeEach, describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createAsking } from './asking.ts'
import type { Host } from './api.ts'
import { valueOf } from './async-data.ts'
import { setHost } from './host.ts'
import { createQuery, followed } from './query.ts'
import type { Listener, Question } from './question.ts'

interface Asked {
  readonly key: string
  readonly on: Listener<string>
  stopped: boolean
}

let asked: Asked[] = []

function question(key: string, more: Partial<Question<string>> = {}): Question<string> {
  return {
    key,
    ...more,
    ask: (on) => {
      const one: Asked = { key, on, stopped: false }
      asked.push(one)
      return () => {
        one.stopped = true
      }
    },
  }
}

const failure = { what: 'It is gone', where: 'here', do: 'Look elsewhere.' }
const keys = () => asked.map(({ key }) => key)
const answer = (at: number, value: string) => {
  asked[at]?.on.answer(value)
  asked[at]?.on.ended()
}
const someHost = () => ({ call: () => Promise.resolve() }) as unknown as Host // only its identity counts

beforeEach(() => {
  // Followers from the previous test are notified of the new host, too.
  setHost(someHost())
  asked = []
})

describe('a query', () => {
  it('asks once for one key, and shows the answer before until the next one is here', () => {
    const query = createQuery<string>()
    query.show(question('a'))
    query.show(question('a'))
    expect(keys()).toEqual(['a'])
    answer(0, 'of a')
    query.show(question('b'))
    expect(query.get()).toMatchObject({ status: 'loading', previous: 'of a' })
    answer(1, 'of b')
    expect(query.get()).toEqual({ status: 'ready', value: 'of b' })
  })

  it('[U220] keeps no answer of another basis on screen while the next is computed', () => {
    const query = createQuery<string>()
    query.show(question('a', { basis: 'preset 1' }))
    answer(0, '39 turns')
    query.show(question('b', { basis: 'preset 1' }))
    expect(valueOf(query.get())).toBe('39 turns')
    query.show(question('c', { basis: 'preset 2' }))
    expect(query.get()).toMatchObject({ status: 'loading', previous: null })
    // An answer to the question before comes too late.
    answer(1, '40 turns')
    expect(valueOf(query.get())).toBeNull()
    answer(2, '2 turns')
    expect(query.get()).toEqual({ status: 'ready', value: '2 turns' })
  })

  it('[U220] takes an answer of another basis off the screen before anything is asked', () => {
    const query = createQuery<string>()
    query.show(question('a', { basis: 'folder 1' }))
    answer(0, '788 turns')
    query.expire('folder 1')
    expect(valueOf(query.get())).toBe('788 turns')
    query.leave()
    query.expire('folder 2')
    expect(query.get()).toEqual({ status: 'idle' })
    // The same question is asked again, for its answer is gone.
    query.show(question('a', { basis: 'folder 1' }))
    expect(keys()).toEqual(['a', 'a'])
  })

  it('cancels what is under way when the key changes, and never shows its answer', () => {
    const query = createQuery<string>()
    query.show(question('a'))
    query.show(question('b'))
    expect(asked[0]?.stopped).toBe(true)
    answer(0, 'of a')
    expect(query.get().status).toBe('loading')
  })

  it('keeps so many answers as it is told, but none that does not last', () => {
    const query = createQuery<string>({ keep: 2 })
    for (const [at, key] of ['a', 'b', 'c'].entries()) {
      query.show(question(key, { isLasting: () => key !== 'b' }))
      answer(at, `of ${key}`)
    }
    query.show(question('a'))
    expect(query.get()).toEqual({ status: 'ready', value: 'of a' })
    query.show(question('b'))
    expect(keys()).toEqual(['a', 'b', 'c', 'b'])
    answer(3, 'of b')
    query.show(question('d'))
    answer(4, 'of d')
    query.show(question('e'))
    answer(5, 'of e')
    query.show(question('a'))
    expect(keys().at(-1)).toBe('a')
  })

  it('tells progress and how fast it goes, and a failure beside what was shown', () => {
    const query = createQuery<string>()
    query.show(question('a'))
    asked[0]?.on.progress({ kind: 'progress', phase: 'reading', done: 1, total: 2 })
    expect(query.get()).toMatchObject({ status: 'loading', progress: { done: 1 } })
    answer(0, 'of a')
    query.show(question('b'))
    asked[1]?.on.failed(failure)
    expect(query.get()).toEqual({ status: 'failed', failure, previous: 'of a' })
    void query.again()
    expect(keys()).toEqual(['a', 'b', 'b'])
  })

  it('rests after Cancel: the same is not asked by itself, something else is', () => {
    const query = createQuery<string>()
    query.show(question('a'))
    query.cancel()
    query.show(question('a'))
    expect(query.get().status).toBe('idle')
    query.show(question('b'))
    expect(keys()).toEqual(['a', 'b'])
  })

  it('knows nothing of another host', () => {
    const query = createQuery<string>({ keep: 9 })
    query.show(question('a'))
    answer(0, 'of a')
    setHost(someHost())
    query.show(question('a'))
    expect(keys()).toEqual(['a', 'a'])
    expect(query.get()).toMatchObject({ status: 'loading', previous: 'of a' })
  })
})

describe('a query that follows a store', () => {
  const start = () => {
    const store = createStore<{ key: string | null | undefined; topic?: string }>(() => ({
      key: null,
    }))
    const place = createStore<{ data: ReturnType<ReturnType<typeof createQuery<string>>['get']> }>(
      () => ({ data: { status: 'idle' } }),
    )
    const query = followed<string>({
      place: { get: () => place.getState().data, set: (data) => place.setState({ data }) },
      watch: [store, place],
      question: () => {
        const { key, topic } = store.getState()
        if (key === null || key === undefined) return key
        return question(key, topic === undefined ? {} : { topic })
      },
    })
    return { store, query }
  }

  it('asks what is wanted, shows nothing for null, and leaves all as it is for undefined', () => {
    const { store, query } = start()
    store.setState({ key: 'a' })
    answer(0, 'of a')
    store.setState({ key: undefined })
    expect(valueOf(query.get())).toBe('of a')
    store.setState({ key: null })
    expect(query.get().status).toBe('idle')
    expect(keys()).toEqual(['a'])
  })

  it('asks nothing before what is on screen is open at the host', () => {
    const { store } = start()
    const host = someHost()
    setHost(host, false)
    store.setState({ key: 'a' })
    expect(asked).toEqual([])
    setHost(host)
    expect(keys()).toEqual(['a'])
  })

  it('lets a question of the same topic wait for the answer to the earlier one', () => {
    const { store } = start()
    store.setState({ key: '10 events', topic: 'session' })
    store.setState({ key: '11 events' })
    store.setState({ key: '12 events' })
    expect(keys()).toEqual(['10 events'])
    answer(0, 'of 10')
    expect(keys()).toEqual(['10 events', '12 events'])
  })
})

describe('many questions', () =>
  it('are asked once each, and given up together', () => {
    const asking = createAsking()
    const told: string[] = []
    const on = { answer: (value: string) => told.push(value) }
    void asking.once(question('a'), on)
    void asking.once(question('a'), on)
    void asking.once(question('b'), on)
    expect(keys()).toEqual(['a', 'b'])
    answer(0, 'of a')
    asking.stop()
    expect(asked[1]?.stopped).toBe(true)
    expect(told).toEqual(['of a'])
    void asking.once(question('b'), on)
    expect(keys()).toEqual(['a', 'b', 'b'])
  }))
