import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline, placeOfSignal } from '../../pipeline.ts'
import { signalNames } from './signal-name.ts'

describe('names of signals', () => {
  const set = compileFixture([
    { name: 'coding', signals: ['a', { id: 'x', pattern: 'b' }, { id: 'x', pattern: 'c' }] },
    { name: 'bugfix', signals: [] },
    { name: 'planning', signals: [{ id: '2', pattern: 'd' }, 'e', { id: 'x', pattern: 'f' }] },
  ])
  const preset = loadPreset('recommended')
  const antiSignals = [{ pattern: 'g', domains: ['coding'], factor: 0.5 }]
  const options = { ...preset, belief: { ...preset.belief, antiSignals } }
  const pipeline = must(createPipeline(set, options, null))

  it('[T12] never name two signals alike, so that every cell opens its own turns', () => {
    const names = signalNames(pipeline)
    expect(names).toHaveLength(7)
    expect(new Set(names).size).toBe(7)
    expect(names.slice(0, 2)).toEqual(['coding/1', 'coding/x'])
  })

  it('[T12] stand with their domain, also after an empty one, and anti-signals apart', () => {
    const places = [0, 2, 3, 5].map((number) => placeOfSignal(pipeline, number))
    expect(places).toEqual([
      { domain: 'coding', index: 0 },
      { domain: 'coding', index: 2 },
      { domain: 'planning', index: 0 },
      { domain: 'planning', index: 2 },
    ])
    const anti = placeOfSignal(pipeline, 6)
    expect(anti.index).toBe(0)
    expect(set.byName.has(anti.domain)).toBe(false)
  })
})
