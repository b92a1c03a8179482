import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { finish } from '../../../../fixtures/lab-corpus.ts'
import type { Guard } from '../../matcher/scan.ts'
import { createPipeline, scanUnder, type Pipeline } from '../../pipeline.ts'
import { replayTurns } from '../../replay.ts'
import { createCorpus } from './corpus.ts'
import { createScorer } from '../scoring/score-corpus.ts'

/** Replaces a clock: a function that throws counts as too slow. */
const guard: Guard = (run) => {
  try {
    run()
    return true
  } catch {
    return false
  }
}

/** A pipeline whose pattern "slow" never comes back on texts with "poison". */
function poisoned(others: readonly string[]): Pipeline {
  // Its required words are unknown (L114), so it runs on every text.
  const slow = { pattern: '(?:slow)', dialect: 'js' }
  const set = compileFixture([
    { name: 'coding', signals: [slow, 'bug'] },
    { name: 'planning', signals: ['plan', ...others] },
  ])
  const regex = set.signals[0]!.programs.ascii.regex
  regex.test = (text: string) => {
    if (text.includes('poison')) throw new Error('cut off')
    return text.includes('slow')
  }
  return must(createPipeline(set, loadPreset('recommended'), null))
}

const TEXTS = ['slow', 'poison slow bug', 'plan', 'slow plan', 'über poison slow', 'slow bug']
const turnsOf = (texts: readonly string[]) =>
  texts.map((text, seq) => ({ seq, kind: 'user' as const, text }))
const FEW: readonly string[] = []
/** So many new signals that they are looked for together. */
const MANY = Array.from({ length: 20 }, (_, at) => `word${at}`)

describe.each([
  ['signal by signal', FEW],
  ['all together', MANY],
])('the watchdog over a corpus, %s', (_, others) => {
  it('[T9] a text on which a signal is cut off counts as not matched, as in a replay', () => {
    const pipeline = poisoned(others)
    const corpus = createCorpus([{ id: 's', turns: turnsOf(TEXTS) }])
    const scorer = createScorer(corpus)
    const scored = finish(scorer.score(pipeline, { guard }))
    for (const { turn, outcome } of replayTurns(pipeline, turnsOf(TEXTS), {
      scan: scanUnder(guard),
    })) {
      // From its first cut-off on, the signal is off; the others answer as in a replay.
      const isOff = turn > 1
      const others = outcome.fired.filter((number) => !isOff || number !== 0)
      expect(scored.fired(turn)).toEqual(others)
      if (!isOff) expect(scored.after(turn)).toEqual(outcome.state)
    }
    const cutOffs = [{ number: 0, turn: 1, chars: 15 }]
    expect(scored.cutOffs).toEqual(cutOffs)
    const again = finish(scorer.score(pipeline, { guard, previous: scored }))
    expect(again).toMatchObject({ scanned: 0, cutOffs })
  })

  it('[T9] after the first text it matches nothing on the turns that follow', () => {
    const poison = Array.from({ length: 5 }, () => 'poison bug')
    const corpus = createCorpus([{ id: 's', turns: turnsOf(['slow', ...poison, 'slow bug']) }])
    const scored = finish(createScorer(corpus).score(poisoned(others), { guard }))
    expect(scored.cutOffs).toHaveLength(1)
    expect([...scored.posting(0)]).toEqual([0])
    expect(scored.posting(1)).toHaveLength(poison.length + 1)
  })
})
