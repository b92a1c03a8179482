import { expect, it } from 'vitest'
import { corpusOf, scoreFromScratch } from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../../engine/pipeline.ts'
import { corpusStats } from './stats-report.ts'

const DOMAINS = [
  { name: 'coding', priority: 1, signals: ['code', 'function'] },
  { name: 'files', priority: 2, breakMinSignals: 2, signals: ['folder', 'path'] },
  { name: 'conversation', priority: 9, signals: [] },
]
const pipeline = must(createPipeline(compileFixture(DOMAINS), loadPreset('recommended'), null))

function momentumOf(sessions: ReadonlyArray<readonly string[]>) {
  return corpusStats(scoreFromScratch(corpusOf(sessions), pipeline), null).momentum
}

it('[T49] a run is a stretch of one signature within one session', () => {
  const code = 'code'
  const files = 'folder path'
  expect(momentumOf([[code, code, files, code]])).toEqual({ runs: 3, longest: 2, kept: 0 })
  // The same signature in the next session starts a separate run.
  expect(momentumOf([[code], [code]])).toEqual({ runs: 2, longest: 1, kept: 0 })
  expect(momentumOf([[], []])).toEqual({ runs: 0, longest: 0, kept: 0 })
})

it('[T49] momentum kept another primary where the primary is not the one that scored best', () => {
  const both = 'code function'
  expect(momentumOf([[both, both, both, 'folder']])).toEqual({ runs: 1, longest: 4, kept: 1 })
})
