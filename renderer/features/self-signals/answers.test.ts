import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Client } from '../../../core/wire/rpc.ts'
import { idle, ready, valueOf } from '../../app/async-data.ts'
import { setHost } from '../../app/host.ts'
import { loadOracle, refreshOracle } from './answers.ts'
import { type ViewState, emptySession, initialState, patchView, store } from '../../app/store.ts'

interface Asked {
  readonly name: string
  readonly input: { readonly seq?: number; readonly config: { readonly preset: string } }
  readonly signal: AbortSignal | undefined
  readonly answer: (value: object) => void
}

const oracle = { responses: { seq: [3, 8] }, queries: { seq: [2, 6] } }
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
let asked: Asked[] = []
/** Keys of the caches hold the file: each test has its own. */
let files = 0

function look(patch: Partial<ViewState>): void {
  patchView(patch)
  refreshOracle()
}

describe('self-signals and prompts of the selection', () => {
  beforeEach(() => {
    asked = []
    const call = (name: string, input: Asked['input'], signal?: AbortSignal) =>
      new Promise((resolve) => asked.push({ name, input, signal, answer: resolve }))
    setHost({ call, subscribe: () => () => undefined } as unknown as Client<TurnscopeContract>) // calls are all that is used
    files += 1
    const opened = { key: `file ${files}`, name: 'a.jsonl' }
    store.setState({
      ...initialState,
      document: { ...initialState.document, opened: ready(opened as never) }, // the rest is not read
      session: { ...emptySession, oracle: idle },
      view: { ...initialState.view, selected: 4 },
    })
  })
  afterEach(() => {
    setHost(null)
    store.setState(initialState)
  })

  async function loaded(): Promise<void> {
    void loadOracle()
    asked[0]?.answer(oracle)
    await settled()
    asked = []
  }

  it('reads a session once per configuration', async () => {
    await loaded()
    await loadOracle()
    expect(asked).toHaveLength(0)
    patchView({ run: { ...initialState.view.run, preset: 'literal' } })
    void loadOracle()
    expect(asked.map(({ input }) => input.config.preset)).toEqual(['literal'])
  })

  it('drops what was read for a configuration that is no longer chosen', async () => {
    void loadOracle()
    patchView({ run: { ...initialState.view.run, preset: 'literal' } })
    asked[0]?.answer(oracle)
    await settled()
    expect(valueOf(store.getState().session.oracle)).toBeNull()
  })

  it('asks for what the open tab shows: the next response, the message being answered', async () => {
    await loaded()
    look({ tab: 'decision' })
    expect(asked).toHaveLength(0)
    look({ tab: 'signals' })
    look({ tab: 'budget' })
    expect(asked.map(({ name, input }) => [name, input.seq])).toEqual([
      ['session.response', 8],
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
    expect(valueOf(store.getState().session.prompt)).toMatchObject({ seq: 6, query: 'new' })
    look({ selected: 6 })
    expect(asked).toHaveLength(2)
  })

  it('has no prompt before the first message', async () => {
    await loaded()
    look({ tab: 'prompt', selected: 1 })
    expect(asked).toHaveLength(0)
    expect(store.getState().session.prompt).toEqual(idle)
  })
})
