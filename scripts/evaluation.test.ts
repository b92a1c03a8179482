import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { corpusOf, scoreFromScratch } from '../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../fixtures/load.ts'
import { createPipeline } from '../core/engine/pipeline.ts'
import { measureCorpus } from '../core/engine/lab/metrics/metrics-corpus.ts'
import { evaluate, readLabelled } from './evaluation.ts'

describe('labels of fixtures/labelled', () => {
  it('[T11] the lab measures what the evaluation script measures', async () => {
    const turns = (await readLabelled('written', 'train')).turns.slice(0, 40)
    const yaml = await readFile(
      new URL('../profiles/domains/default.yaml', import.meta.url),
      'utf8',
    )
    const { domains } = parse(yaml) as { domains: unknown[] }
    // A few domains: it is about counting alike, not about being right.
    const set = compileFixture(domains.slice(0, 4))
    const pipeline = must(createPipeline(set, loadPreset('recommended'), null))
    const scored = scoreFromScratch(corpusOf(turns.map(({ text }) => [text])), pipeline)
    const labels = turns.map(({ text, primary, acceptable }, turn) => {
      const sha256 = createHash('sha256').update(text).digest('hex')
      return [turn, { event: 0, sha256, primary, acceptable: [...acceptable] }] as const
    })
    const metrics = measureCorpus(scored, new Map(labels))
    const { compound, firstMatch, floor } = evaluate(pipeline, turns, turns)
    expect(metrics).toMatchObject(compound)
    expect(metrics.firstMatch).toEqual({
      strict: firstMatch.strict,
      withAlternatives: firstMatch.withAlternatives,
    })
    expect(metrics.mostFrequent.hits).toBe(floor.strict.hits)
    expect(metrics.labelled).toBe(40)
  })
})
