import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import {
  WORD_DOMAINS,
  corpusOf,
  finish,
  labelsOf,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { createPipeline } from '../../pipeline.ts'
import type { CorpusLabels } from '../corpus/corpus.ts'
import type { TurnVectors } from '../opinion/opinion.ts'
import { queuePrecision } from './precision.ts'
import { drawOf, labelQueue, orderQueue, wordLikeness } from './queue.ts'
import { reasonWords } from './words.ts'

const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), loadPreset('recommended'), null))
const NOTHING: TurnVectors = new Map()

const NONE: CorpusLabels = new Map()

interface Given {
  readonly labels?: CorpusLabels
  readonly vectors?: TurnVectors
  readonly list?: 'queue' | 'random'
}

function queueOf(
  sessions: ReadonlyArray<readonly string[]>,
  { labels = NONE, vectors = NOTHING, list = 'queue' }: Given = {},
) {
  const scored = scoreFromScratch(corpusOf(sessions), pipeline)
  return finish(labelQueue({ scored, labels, vectors, list, most: 50 }))
}

describe('reasons', () => {
  it('[L81] nothing fired, a tie, ahead by one, and momentum against the text; else the turn is not in the queue', () => {
    const { items, total } = queueOf([
      ['nothing'],
      ['cod1 bug1'],
      ['cod1 cod2 bug1'],
      ['cod1 cod2 cod3'],
      ['cod1 cod2 cod3', 'cod1 cod2', 'cod1 cod2', 'hello'],
    ])
    const reasons = new Map(items.map((item) => [item.turn, item.reasons]))
    expect(reasons.get(0)).toEqual(['no_signal'])
    expect(reasons.get(1)).toEqual(['tie'])
    expect(reasons.get(2)).toEqual(['margin'])
    expect(reasons.has(3)).toBe(false)
    expect(reasons.get(7)).toEqual(['margin', 'held'])
    expect(total).toBe(items.length)
    expect(reasonWords({ ...known(items, 7), opinion: null })).toEqual([
      'by one: conversation 1, nothing',
      'momentum holds coding, the text says conversation',
    ])
  })

  const known = <T extends { readonly turn: number }>(items: readonly T[], turn: number): T => {
    const found = items.find((item) => item.turn === turn)
    if (found === undefined) throw new Error(`turn ${turn} is not in the queue`)
    return found
  }

  it('[L81] a labelled turn is not asked about again, nor one of the same text', () => {
    const { items } = queueOf([['nothing'], ['nothing'], ['cod1'], ['cod1 ']], {
      labels: labelsOf({ 0: 'coding' }),
    })
    expect(items.map(({ turn }) => turn)).toEqual([1, 2])
  })
})

/** Vectors in two directions: what says x is of one kind, what says y of the other. */
const vectorOf = (text: string) =>
  Float32Array.from(text.includes('x') ? [1, 0, 0] : text.includes('y') ? [0, 1, 0] : [0, 0, 1])

describe('the second opinion', () => {
  const texts = [
    ...Array.from({ length: 12 }, (_, at) => `cod1 cod2 cod3 x${at}`),
    ...Array.from({ length: 12 }, (_, at) => `bug1 bug2 y${at}`),
    'cod1 cod2 cod3 but y',
    'bug1 bug2 and y',
  ]
  const sessions = texts.map((text) => [text])
  const labels = labelsOf(
    Object.fromEntries(texts.slice(0, 24).map((_, at) => [at, at < 12 ? 'coding' : 'bugfix'])),
  )
  const vectors = new Map(texts.map((text, turn) => [turn, vectorOf(text)]))

  it('[L80] puts a turn in the queue where it parts from the rules, and names its nearest labelled turns', () => {
    const { items, adviser } = queueOf(sessions, { labels, vectors })
    expect(items.map(({ turn, reasons }) => [turn, reasons])).toEqual([[24, ['opinion']]])
    expect(adviser?.of(24)?.domain).toBe('bugfix')
    expect(adviser?.nearest(24, 2)).toEqual([
      { turn: 12, similarity: 1 },
      { turn: 13, similarity: 1 },
    ])
  })

  it('[L80] is the same for the same labels, and there is none with too few', () => {
    const [one, other] = [0, 1].map(() => queueOf(sessions, { labels, vectors }).items)
    expect(one).toEqual(other)
    const few = new Map([...labels].slice(0, 15))
    expect(queueOf(sessions, { labels: few, vectors }).adviser).toBeNull()
  })
})

describe('order', () => {
  it('[L82] likely errors come first, and what is alike to a turn ahead comes later', () => {
    const texts = ['please paint it', 'please paint it now', 'remove all of that']
    const likeness = wordLikeness((turn) => texts[turn] ?? '')
    const candidates = [0.9, 0.89, 0.6].map((doubt, turn) => ({ turn, doubt }))
    const steps = orderQueue(candidates, 3, likeness)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    expect(step.value.map(({ turn }) => turn)).toEqual([0, 2, 1])
  })

  it('[L82] labels of the corpus say how much a reason is worth', () => {
    const sessions = [
      ...Array.from({ length: 30 }, (_, at) => [`nothing ${at}`]),
      ['cod1 bug1'],
      ['nothing z'],
    ]
    const right = labelsOf(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, 'conversation'])),
    )
    expect(queueOf(sessions, { labels: right }).items.map(({ turn }) => turn)).toEqual([30, 31])
    expect(queueOf(sessions.slice(29)).items[0]?.reasons).toEqual(['no_signal'])
  })

  it('[L83] the random list hangs on the texts alone, and has turns without any reason too', () => {
    const sessions = [['cod1 cod2 cod3'], ['nothing'], ['bug1 bug2']]
    const { items, total } = queueOf(sessions, { list: 'random' })
    expect(total).toBe(3)
    const texts = items.map(({ turn }) => sessions[turn]?.[0] ?? '')
    expect(texts).toEqual(texts.toSorted((a, b) => drawOf(a) - drawOf(b)))
    const again = queueOf(sessions.toReversed(), { list: 'random' })
    expect(again.items.map(({ turn }) => sessions.toReversed()[turn]?.[0])).toEqual(texts)
  })
})

describe('precision', () => {
  it('[L83] counts what was decided when the label was given, the first 50 by number, list by list', () => {
    const label = (nth: number, said: string, list: 'queue' | 'random' = 'queue') => ({
      event: nth,
      sha256: '0'.repeat(16),
      primary: 'coding',
      acceptable: ['bugfix'],
      via: { list, nth, said },
    })
    const queue = Array.from({ length: 60 }, (_, at) =>
      label(60 - at, at < 10 ? 'file_ops' : 'coding'),
    )
    const found = queuePrecision([
      ...queue,
      label(1, 'bugfix', 'random'),
      label(2, 'file_ops', 'random'),
      { event: 0, sha256: '0'.repeat(16), primary: 'coding' },
    ])
    // The ten wrong ones are numbers 51 to 60.
    expect(found.queue).toMatchObject({ hits: 0, of: 50, low: 0 })
    expect(found.random).toMatchObject({ hits: 1, of: 2 })
    expect(found.labelled).toEqual({ queue: 60, random: 2 })
  })
})
