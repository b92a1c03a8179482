import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { replay } from '../../../../fixtures/replays.ts'
import { createPipeline } from '../../pipeline.ts'
import type { Replay } from '../../replay.ts'
import type { Preset } from '../../schema/preset.ts'
import { diffReplays, oneSided } from './diff.ts'

const domains = [
  { name: 'investigation', signals: ['inv1', 'inv2'] },
  { name: 'coding', signals: ['cod1'] },
  { name: 'file_ops', signals: ['ls1'] },
  { name: 'conversation', signals: ['hello'] },
]

function run(
  texts: readonly string[],
  preset: Preset,
  among: readonly unknown[] = domains,
): Replay {
  const turns = texts.map((text, seq) => ({ seq, kind: 'user' as const, text }))
  const config = { preset: preset.name, domains: 'd', profile: null, classify: null }
  return replay(must(createPipeline(compileFixture(among), preset, null)), turns, config)
}

describe('flips between two replays', () => {
  const texts = ['inv1', 'inv1', 'inv1', 'ls1', 'inv1 cod1', 'inv1', 'inv1', 'inv1', 'inv1']
  const literal = run(texts, loadPreset('literal'))
  const recommended = run(texts, loadPreset('recommended'))

  it('none between equal replays', () => expect(diffReplays(literal, literal)).toEqual([]))

  it('[B1] tells the rule’s own turn from what momentum carries on', () =>
    expect(diffReplays(literal, recommended)).toEqual([
      { turn: 3, other: 3, fields: ['primary', 'signature'], cause: 'direct', since: 3 },
      {
        turn: 4,
        other: 4,
        fields: ['secondary', 'signature', 'enrichment'],
        cause: 'momentum',
        since: 3,
      },
    ]))

  it('a changed signal is direct, also when domains are numbered otherwise', () => {
    const edited = [...domains.slice(1), { name: 'investigation', signals: ['inv2'] }]
    const flips = diffReplays(recommended, run(texts, loadPreset('recommended'), edited))
    expect(flips[0]).toEqual({
      turn: 0,
      other: 0,
      fields: ['primary', 'signature'],
      cause: 'direct',
      since: 0,
    })
  })

  it('compares only texts that both classify, also where as many come after them', () => {
    const other = run(['inv1', 'cod1'], loadPreset('literal'))
    const renumbered = { ...other, columns: { ...other.columns, seq: [0, 7] } }
    expect(diffReplays(run(['inv1', 'ls1'], loadPreset('literal')), renumbered)).toEqual([])
  })

  it('[L38] names the turn of the other side that classifies the same event, and counts turns of one side', () => {
    const base = run(['inv1', 'ls1', 'inv1'], loadPreset('literal'))
    const more = run(['inv1', 'cod1', 'cod1', 'hello', 'cod1'], loadPreset('literal'))
    const pick = (of: Replay, seq: readonly number[]): Replay => ({
      ...of,
      columns: { ...of.columns, seq: [...seq] },
    })
    // The other side also classifies events 1, 3 and 5; event 2 is its third turn.
    const flips = diffReplays(pick(base, [0, 2, 7]), pick(more, [0, 1, 2, 3, 5]))
    expect(flips.map(({ turn, other }) => [turn, other])).toEqual([[1, 2]])
    expect(oneSided(pick(base, [0, 2, 7]), pick(more, [0, 1, 2, 3, 5]))).toEqual({
      base: 1,
      other: 3,
    })
  })
})
