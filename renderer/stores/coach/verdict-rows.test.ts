import { describe, expect, it } from 'vitest'
import { OutputType, VerdictFlag } from '../../../core/engine/schema/coach.ts'
import { initialCoach } from './store.ts'
import { type VerdictFilter, filteredVerdicts, onlyChoices, verdictRows } from './verdict-rows.ts'

const code = (type: OutputType) => OutputType.options.indexOf(type)
const bit = (flag: VerdictFlag) => 1 << VerdictFlag.options.indexOf(flag)

const columns = {
  seq: [1, 3, 5, 7],
  type: [code('status'), code('question'), code('status'), code('completion')],
  passes: [0, 1, 0, 1],
  confidence: [0.9, 0.5, 0.9, 0.9],
  source: [1, 1, 0, 1],
  rules: [code('status'), code('question'), code('completion'), code('completion')],
  disagrees: [0, 0, 1, 0],
  failed: [0, 0, 0, 0],
  label: [-1, code('question'), code('completion'), -1],
  wentOn: [1, 0, 0, 0],
  gated: [1, 0, 0, 0],
  flags: [bit('narration'), bit('unrecognised'), 0, 0],
}
const previews = { seqs: [1, 3, 5, 7], previews: ['Let me look', 'Hm', 'Ran it', 'Done, see ran'] }

function seqs(change: Partial<VerdictFilter>) {
  const rows = verdictRows(columns, previews)
  const { held, hypothetical } = filteredVerdicts(rows, { ...initialCoach.filter, ...change })
  return [held.map(({ seq }) => seq), hypothetical.map(({ seq }) => seq)]
}

describe('the list of verdicts', () => {
  it('[V62] keeps what the agent went on after apart, under every filter', () => {
    expect(seqs({})).toEqual([[3, 5, 7], [1]])
    expect(seqs({ only: 'back' })).toEqual([[5], [1]])
    expect(seqs({ type: 'status' })).toEqual([[5], [1]])
  })

  it('[V62] filters by type, by what is known, by flag and by words', () => {
    expect(seqs({ type: 'question' })).toEqual([[3], []])
    expect(seqs({ only: 'disagrees' })).toEqual([[5], []])
    expect(seqs({ only: 'mislabelled' })).toEqual([[5], []])
    expect(seqs({ only: 'gated' })).toEqual([[], [1]])
    expect(seqs({ only: 'narration' })).toEqual([[], [1]])
    expect(seqs({ words: 'RAN' })).toEqual([[5, 7], []])
    expect(seqs({ words: 'ran it' })).toEqual([[5], []])
  })

  it('[V62] offers flags only where they occur, each with its number', () => {
    const choices = new Map(onlyChoices(verdictRows(columns, previews)))
    expect(choices.get('unrecognised')).toBe(1)
    expect(choices.get('hedging')).toBeUndefined()
    expect(choices.get('failed')).toBe(0)
  })
})
