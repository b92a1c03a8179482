import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Client } from '../../../core/wire/rpc.ts'
import { idle, ready, valueOf } from '../../app/async-data.ts'
import { setHost } from '../../app/host.ts'
import { prompt } from './answers.ts'
import {
  type ViewState,
  emptySession,
  initialState,
  patchSession,
  patchView,
  store,
} from '../../app/store.ts'

interface Asked {
  readonly name: string
  readonly input: { readonly seq?: number; readonly config: { readonly preset: string } }
  readonly signal: AbortSignal | undefined
  readonly answer: (value: object) => void
}

const answers = { responses: { seq: [3, 8] }, queries: { seq: [2, 6] } }
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
let asked: Asked[] = []

function look(patch: Partial<ViewState>): void {
  patchView(patch)
}

/** The replay on screen; `saved` represents the contents of its files. */
function replayed(preset: string, saved = 0): void {
  const config = { preset, domains: 'default', profile: null, classify: null }
  const columns = { config, seq: [2, 6] }
  const replay = { key: `${preset} ${saved}`, compareKey: null, columns, compare: null, events: 9 }
  patchSession({ replay: ready(replay as never) }) // the rest is not read
}

describe('self-signals and prompts of the selection', () => {
  beforeEach(() => {
    asked = []
    const opened = { key: 'file', name: 'a.jsonl' }
    store.setState({
      ...initialState,
      document: { ...initialState.document, opened: ready(opened as never) }, // the rest is not read
      session: { ...emptySession, answers: idle, isDrawn: true },
      view: { ...initialState.view, selected: 4 },
    })
    const call = (name: string, input: Asked['input'], signal?: AbortSignal) =>
      new Promise((resolve) => {
        // Ignores requests by the session's other followers, which are not tested here.
        if (/answers|response|prompt/u.test(name))
          asked.push({ name, input, signal, answer: resolve })
      })
    setHost({ call, subscribe: () => () => undefined } as unknown as Client<TurnscopeContract>) // calls are all that is used
  })
  afterEach(() => {
    setHost(null)
    store.setState(initialState)
  })

  async function loaded(): Promise<void> {
    replayed('recommended')
    asked[0]?.answer(answers)
    await settled()
    asked = []
  }

  it('reads a session once per configuration', async () => {
    await loaded()
    look({ selected: 5 })
    expect(asked).toHaveLength(0)
    replayed('literal')
    expect(asked.map(({ input }) => input.config.preset)).toEqual(['literal'])
  })

  it('drops what was read for a configuration that is no longer chosen', async () => {
    replayed('recommended')
    replayed('literal')
    asked[0]?.answer(answers)
    await settled()
    expect(valueOf(store.getState().session.answers)).toBeNull()
  })

  it('[F240] asks for what the open tab shows: the response of the turn, the message being answered', async () => {
    await loaded()
    look({ tab: 'decision' })
    expect(asked).toHaveLength(0)
    look({ tab: 'signals' })
    look({ tab: 'budget' })
    expect(asked.map(({ name, input }) => [name, input.seq])).toEqual([
      ['session.response', 3],
      ['session.prompt', 2],
    ])
  })

  it('never shows an answer to an earlier selection, and asks once for what it knows', async () => {
    await loaded()
    look({ tab: 'prompt' })
    look({ selected: 7 })
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[1]?.answer({ query: 'new' })
    asked[0]?.answer({ query: 'old' })
    await settled()
    expect(valueOf(prompt.get())).toMatchObject({ seq: 6, query: 'new' })
    look({ selected: 6 })
    expect(asked).toHaveLength(2)
  })

  it('asks again for what it knows once a file of the configuration was saved', async () => {
    await loaded()
    look({ tab: 'prompt' })
    asked[0]?.answer({ query: 'as it was' })
    await settled()
    replayed('recommended', 1)
    const again = asked.slice(1)
    expect(again.map(({ name }) => name).toSorted()).toEqual(['session.answers', 'session.prompt'])
    again.find(({ name }) => name === 'session.prompt')?.answer({ query: 'as saved' })
    await settled()
    expect(valueOf(prompt.get())).toMatchObject({ query: 'as saved' })
  })

  it('has no prompt before the first message', async () => {
    await loaded()
    look({ tab: 'prompt', selected: 1 })
    expect(asked).toHaveLength(0)
    expect(prompt.get()).toEqual(idle)
  })
})
