import { describe, expect, it } from 'vitest'
import { loadPreset } from '../../../../fixtures/load.ts'
import { type Outcome, optionChanges, searchCauses, withOptions } from './causes.ts'

/** Runs the search over a world that says what differs when some changes are switched. */
function search(changes: number, world: (on: ReadonlySet<number>) => Outcome) {
  const all = new Set(Array.from({ length: changes }, (_, at) => at))
  const steps = searchCauses(changes, world(all))
  let step = steps.next()
  while (step.done !== true) step = steps.next(world(step.value))
  return step.value
}

const flips = (...turns: readonly string[]): Outcome => new Map(turns.map((turn) => [turn, 'x']))

describe('[L52] causes of flips', () => {
  it('names the options that differ, and puts some of them over a preset', () => {
    const literal = loadPreset('literal')
    const recommended = loadPreset('recommended')
    const changes = optionChanges(recommended, literal)
    expect(changes.map(({ name }) => name)).toContain('belief.breakMinSignals')
    expect(changes.every(({ from, to }) => from.length <= 60 && to.length <= 60)).toBe(true)
    expect(optionChanges(literal, literal)).toEqual([])
    expect(optionChanges(withOptions(recommended, literal, changes), literal)).toEqual([])
    const [one] = changes
    if (one === undefined) throw new Error('they differ')
    expect(optionChanges(recommended, withOptions(recommended, literal, [one]))).toHaveLength(1)
  })

  it('of three changes two cause all flips, each its own', () => {
    const { alone, needed } = search(3, (on) =>
      flips(...(on.has(0) ? ['1', '2'] : []), ...(on.has(2) ? ['9'] : [])),
    )
    expect(alone).toEqual([2, 0, 1])
    expect([...needed]).toEqual([0, 2])
  })

  it('a change that another one makes superfluous is not needed', () => {
    const { alone, needed } = search(2, (on) =>
      flips(...(on.has(1) ? ['1', '2'] : on.has(0) ? ['1'] : [])),
    )
    expect(alone).toEqual([1, 2])
    expect([...needed]).toEqual([1])
  })

  it('two that only flip something together are both needed', () => {
    const { alone, needed } = search(3, (on) => flips(...(on.has(0) && on.has(1) ? ['4'] : [])))
    expect(alone).toEqual([0, 0, 0])
    expect([...needed]).toEqual([0, 1])
  })

  it('nothing is needed where nothing flips', () => {
    expect(search(2, () => flips()).needed.size).toBe(0)
  })
})
