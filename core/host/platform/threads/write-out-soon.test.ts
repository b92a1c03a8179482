import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../../fixtures/eventually.ts'
import { type CompiledSignal, compileSignal } from '../../../engine/matcher/signal.ts'
import { CONFIG, REPOSITORY } from '../../../../fixtures/host.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { useAutomata } from '../../automata/current.ts'
import { createSessionHandlers } from '../../entries/session-handlers.ts'
import { createPriority } from './priority.ts'
import { writeOutSoon } from './write-out-soon.ts'

test('[C15] patterns are written out later, all of them, and not while somebody waits', async () => {
  const written: number[] = []
  const signals = Array.from({ length: 40 }, (_, number): CompiledSignal => {
    const entry = { pattern: `word${number}`, dialect: 'python' } as const
    const made = compileSignal(entry, 'test', { asciiBoundaries: false })
    if (!made.ok) throw new Error(made.error.what)
    const { ascii, wide, source, flags, identity } = made.value.programs
    const programs = {
      ascii,
      wide,
      source,
      flags,
      identity,
      get literals() {
        written.push(number)
        return null
      },
    }
    return { ...made.value, programs }
  })
  const busy = Promise.withResolvers<undefined>()
  writeOutSoon(signals, () => busy.promise)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(written).toEqual([])
  busy.resolve(undefined)
  await eventually(() => expect(written).toEqual([...signals.keys()]))
})

test('[U187] what a replay will need is compiled and its automaton taken out of its file, before anybody asks', async () => {
  const offered: Array<readonly CompiledSignal[]> = []
  const nothing = () => undefined
  useAutomata({
    automata: { offer: (signals) => void offered.push(signals), keep: nothing },
    patterns: { offer: nothing, keep: nothing },
    parsed: { read: nothing, keep: nothing },
  })
  onTestFinished(() => useAutomata(null))
  const handlers = createSessionHandlers(openWorkspace(REPOSITORY), createPriority())
  await handlers['workspace.warm']({ config: CONFIG }, { signal: new AbortController().signal })
  expect(offered).toHaveLength(1)
  expect(offered[0]?.length).toBeGreaterThan(300)
})
