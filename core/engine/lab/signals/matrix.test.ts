import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import {
  WORD_DOMAINS,
  anyLabels,
  anySessions,
  corpusOf,
  labelsOf,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../pipeline.ts'
import { coverageOf, uncoveredTurns } from './coverage.ts'
import { matrixOf, turnsOfCell } from './matrix.ts'

const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), loadPreset('recommended'), null))
const score = (sessions: ReadonlyArray<readonly string[]>) =>
  scoreFromScratch(corpusOf(sessions), pipeline)

describe('overlap and conflict', () => {
  // coding wins the tie by priority, and beside two of its signals without one
  const scored = score([['cod1 bug1'], ['cod1 cod2 bug1'], ['bug1'], ['cod1 cod3']])

  it('[T12] overlap is that both fired; a conflict is a turn that the row lost to the column', () => {
    const { names, totals, both, conflict } = matrixOf(scored, 'domains', null)
    expect(names).toEqual(['coding', 'bugfix', 'file_ops', 'conversation'])
    expect(totals).toEqual([3, 3, 0, 0])
    expect(both.slice(0, 8)).toEqual([3, 2, 0, 0, 2, 3, 0, 0])
    expect(conflict.slice(0, 8)).toEqual([0, 0, 0, 0, 2, 0, 0, 0])
  })

  it('[T12] signals of one domain overlap and never conflict', () => {
    const { names, both, conflict } = matrixOf(scored, 'signals', null)
    const at = (row: string, column: string) =>
      names.indexOf(row) * names.length + names.indexOf(column)
    expect(names.slice(0, 4)).toEqual(['coding/1', 'coding/second', 'coding/3', 'bugfix/1'])
    expect(both[at('coding/1', 'coding/second')]).toBe(1)
    expect(conflict[at('coding/1', 'coding/second')]).toBe(0)
    expect(conflict[at('bugfix/1', 'coding/1')]).toBe(2)
    expect(conflict[at('coding/1', 'bugfix/1')]).toBe(0)
  })

  it('[T12] a domain narrows signals to its own and what fires beside them', () =>
    expect(matrixOf(scored, 'signals', 'bugfix').names).toEqual([
      'coding/1',
      'coding/second',
      'bugfix/1',
      'bugfix/2',
    ]))

  it('[T12] every cell opens exactly the turns it counts, whatever the corpus', () =>
    fc.assert(
      fc.property(anySessions, fc.constantFrom('signals', 'domains'), (sessions, by) => {
        const some = score(sessions)
        const { names, both, conflict } = matrixOf(some, by, null)
        for (const [x, row] of names.entries())
          for (const [y, column] of names.entries()) {
            const turns = turnsOfCell(some, new Map(), { kind: by, row, column })
            const lost = turnsOfCell(some, new Map(), { kind: 'conflict', row, column })
            expect(turns).toHaveLength(both[x * names.length + y]!)
            expect(lost).toHaveLength(conflict[x * names.length + y]!)
            for (const turn of turns) {
              const { scores } = some.decided(turn).scored
              if (by === 'domains')
                expect(scores.map((one) => one.domain)).toEqual(
                  expect.arrayContaining([row, column]),
                )
            }
            for (const turn of lost) {
              const domain = by === 'domains' ? column : column.split('/')[0]
              expect(some.domains[some.primary[turn]!]).toBe(domain)
              expect(row.split('/')[0]).not.toBe(domain)
            }
          }
      }),
      casesOf('lab: matrix'),
    ))

  it('[T12] a cell of the confusion matrix opens the labelled turns it counts, in order', () => {
    const labels = labelsOf({ 10: 'bugfix', 0: 'bugfix', 1: 'coding', 3: 'coding' })
    const turns = turnsOfCell(score(Array.from({ length: 11 }, () => ['cod1'])), labels, {
      kind: 'confusion',
      expected: 'bugfix',
      predicted: 'coding',
    })
    expect([...turns]).toEqual([0, 10])
  })
})

describe('coverage', () => {
  it('[T13] counts turns without evidence, by number of signals, and by domain', () => {
    const scored = score([['nothing'], ['cod1 cod2'], ['cod1 bug1'], ['']])
    const { uncovered, bySignals, domains } = coverageOf(scored)
    expect(uncovered).toBe(2)
    expect([...uncoveredTurns(scored)]).toEqual([0, 3])
    expect(bySignals).toEqual([
      { signals: 0, turns: 2 },
      { signals: 2, turns: 2 },
    ])
    expect(domains.slice(0, 2)).toEqual([
      { domain: 'coding', matched: 2, primary: 2, secondary: 0, alone: 1 },
      { domain: 'bugfix', matched: 1, primary: 0, secondary: 1, alone: 0 },
    ])
    expect(domains[3]).toEqual({
      domain: 'conversation',
      matched: 0,
      primary: 2,
      secondary: 0,
      alone: 0,
    })
  })

  it('[T13] every turn is counted once, and its primary once', () =>
    fc.assert(
      fc.property(anySessions, anyLabels, (sessions, labels) => {
        const scored = score(sessions)
        const { turns, bySignals, domains, uncovered } = coverageOf(scored)
        const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
        expect(sum(bySignals.map((one) => one.turns))).toBe(turns)
        expect(sum(domains.map((one) => one.primary))).toBe(turns)
        expect(turnsOfCell(scored, labels, { kind: 'uncovered' })).toHaveLength(uncovered)
      }),
    ))
})
