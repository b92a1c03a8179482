import { expect, test, vi } from 'vitest'
import { type CompiledSignal, compileSignal } from '../../engine/matcher/signal.ts'
import { writeOutSoon } from './warm.ts'

test('[C15] patterns are written out later, all of them, and not while somebody waits', async () => {
  const written: number[] = []
  const signals = Array.from({ length: 40 }, (_, number): CompiledSignal => {
    const entry = { pattern: `word${number}`, dialect: 'python' } as const
    const made = compileSignal(entry, 'test', { asciiBoundaries: false })
    if (!made.ok) throw new Error(made.error.what)
    const { ascii, wide, source, flags, identity } = made.value.programs
    const programs = {
      ...{ ascii, wide, source, flags, identity },
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
  await vi.waitFor(() => expect(written).toEqual([...signals.keys()]))
})
