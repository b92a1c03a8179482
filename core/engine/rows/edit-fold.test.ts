import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { type Config, compile, config, edit, sessions } from '../../../fixtures/random-configs.ts'
import { flipsByDefinition, replay } from '../../../fixtures/replays.ts'
import type { Pipeline } from '../pipeline.ts'
import { err, ok } from '../result.ts'
import { replayTurns } from '../replay.ts'
import type { Turn } from '../turns.ts'
import { type EditFlip, createEditFold } from './edit-fold.ts'
import { lackingSignals } from './edit-slots.ts'
import { readMatches } from './match-bytes.ts'
import { createMatchWriter } from './match-writer.ts'

const NAMED = { preset: '', domains: '', profile: null, classify: null }

function turnsOf(texts: readonly string[]): readonly Turn[] {
  return texts.map((text, seq) => ({ seq, kind: 'user', text }))
}

const outcomesOf = (pipeline: Pipeline, texts: readonly string[]) =>
  [...replayTurns(pipeline, turnsOf(texts))].map(({ outcome }) => outcome)

/** The data that a batch stores for the sessions. */
function stored(pipeline: Pipeline, all: ReadonlyArray<readonly string[]>) {
  const writer = createMatchWriter(pipeline.signals.length)
  for (const texts of all) {
    for (const { fired, state } of outcomesOf(pipeline, texts)) writer.turn(fired, state)
    writer.endSession()
  }
  const read = readMatches(writer.bytes(), pipeline.signals.length)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

/** The matches of the lacking signals, by turn over all sessions. */
function lookFor(
  side: Pipeline,
  numbers: readonly number[],
  all: ReadonlyArray<readonly string[]>,
) {
  const found = new Map<number, number[]>()
  for (const [turn, { fired }] of all.flatMap((texts) => outcomesOf(side, texts)).entries()) {
    const indexes = [...numbers.keys()].filter((at) => fired.includes(numbers[at] ?? -1))
    if (indexes.length > 0) found.set(turn, indexes)
  }
  return found
}

test('[F146] an edit over stored matches flips what two replays decide differently', () => {
  fc.assert(
    fc.property(
      config,
      fc.array(edit, { minLength: 1, maxLength: 2 }),
      sessions,
      fc.boolean(),
      (before, edits, all, hasStates) => {
        const after = edits.reduce((one: Config, change) => change(one), before)
        const base = compile(before)
        const side = compile(after)
        const lacking = lackingSignals(base, side)
        const flips: EditFlip[] = []
        const fold = createEditFold(base, side, { lacking, hasStates })
        const done = fold.part(stored(base, all), lookFor(side, lacking.numbers, all), (flip) =>
          flips.push(flip),
        )
        expect(done).toEqual(ok(null))
        let first = 0
        const expected = all.flatMap((texts) => {
          const turns = turnsOf(texts)
          const was = replay(base, turns, NAMED)
          const is = replay(side, turns, NAMED)
          const from = first
          first += texts.length
          return flipsByDefinition(was, is).map(({ turn, fields, cause, since }) => {
            const name = ({ columns }: typeof was, cells: readonly number[]) =>
              columns.domains[cells[turn] ?? -1] ?? null
            return {
              at: from + turn,
              turn,
              fields,
              cause,
              since,
              primary: [name(was, was.columns.primary), name(is, is.columns.primary)],
              secondary: [name(was, was.columns.secondary), name(is, is.columns.secondary)],
            }
          })
        })
        expect(flips).toEqual(expected)
      },
    ),
    casesOf('rows: edit fold'),
  )
})

test('[F146] what moves, and what is only named otherwise, is not looked for', () => {
  fc.assert(
    fc.property(config, (one) => {
      const base = compile(one)
      const side = compile({ ...one, domains: one.domains.toReversed() })
      expect(lackingSignals(base, side)).toEqual({ numbers: [], isFresh: false })
    }),
    casesOf('rows: moved domains'),
  )
})

const withSignal = (pattern: string): Config => ({
  domains: [{ name: 'coding', signals: [pattern], priority: 1 }],
  options: {},
  profile: null,
})

test('[F145] [F146] a stored state that its matches do not come to is damage, not a flip', () => {
  const base = compile(withSignal('bug'))
  const side = compile(withSignal('git'))
  const lacking = lackingSignals(base, side)
  const writer = createMatchWriter(base.signals.length)
  const [bug, none] = outcomesOf(base, ['bug', ''])
  if (bug === undefined || none === undefined) throw new Error('two texts have two turns')
  writer.turn(none.fired, none.state)
  writer.turn(bug.fired, { ...bug.state, momentum: 99 })
  const read = readMatches(writer.bytes(), base.signals.length)
  if (!read.ok) throw new Error(read.error)
  const part = (hasStates: boolean) => {
    const flips: EditFlip[] = []
    const fold = createEditFold(base, side, { lacking, hasStates })
    const done = fold.part(read.value, new Map(), (flip) => flips.push(flip))
    return { done, turns: flips.map(({ at }) => at) }
  }
  expect(part(true).done).toEqual(err('the state of turn 2 is not that of its matches'))
  // States of another version of the program are not asked.
  expect(part(false)).toEqual({ done: ok(null), turns: [1] })
})
