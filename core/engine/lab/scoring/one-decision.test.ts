import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SEED, caseCount, randomOf } from '../../../../fixtures/cases.ts'
import { finish } from '../../../../fixtures/lab-corpus.ts'
import { loadPreset, must } from '../../../../fixtures/load.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { compileDomains } from '../../matcher/domains.ts'
import { loadDomains } from '../../matcher/load-domains.ts'
import { compileSignal } from '../../matcher/signal.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import { replayTurns } from '../../replay.ts'
import { plainEvents } from '../../schema/event.ts'
import type { BeliefOptions } from '../../schema/preset.ts'
import type { BeliefState } from '../../schema/trace.ts'
import { createCorpus, type Corpus } from '../corpus/corpus.ts'
import { createClassScores } from './class-scores.ts'
import { createFolding, createFoldNames, INITIAL_STATE, shownOf } from './fold-rules.ts'
import { insideOf } from './inside.ts'
import { createScoreClasses, planSlots } from './score-class.ts'
import { createScorer } from './score-corpus.ts'

// One rule turns scores into a decision (`decide`); three drivers obtain the scores. They are held side by side here.

const FIXTURES = ['claude-code-demo', 'lock-in', 'six-signals', 'st-003', 'three-shelves']
const PRESETS = ['literal', 'recommended', 'field'] as const
const file = must(
  loadDomains(
    parse(
      readFileSync(new URL('../../../../profiles/domains/default.yaml', import.meta.url), 'utf8'),
    ),
    'default',
  ),
)

/** A signal that many edits share is compiled once. */
const compiled = new Map<string, ReturnType<typeof compileSignal>>()
const compile: typeof compileSignal = (entry, where, options) => {
  const key = JSON.stringify([entry, options])
  const known = compiled.get(key) ?? compileSignal(entry, where, options)
  compiled.set(key, known)
  return known
}

interface Edited {
  readonly preset: (typeof PRESETS)[number]
  readonly domains: typeof file.domains
  readonly options: Partial<BeliefOptions>
}

function pipelineOf({ preset: name, domains, options }: Edited): Pipeline {
  const preset = loadPreset(name)
  const belief = { ...preset.belief, ...options }
  const { asciiBoundaries } = belief
  const set = must(compileDomains({ ...file, domains }, { asciiBoundaries }, compile))
  return must(createPipeline(set, { ...preset, belief }, null))
}

let corpus: Corpus

beforeAll(async () => {
  const sessions = await Promise.all(
    FIXTURES.map(async (name) => {
      const path = new URL(`../../../../fixtures/sessions/${name}.jsonl`, import.meta.url)
      const read = must(await readTranscript(readFileSync(path)))
      return read.sessions.map((session, at) => ({
        id: `${name}-${at}`,
        turns: plainEvents(session).flatMap(({ kind, text }, seq) =>
          kind === 'user' || kind === 'tool_result' ? [{ seq, kind, text }] : [],
        ),
      }))
    }),
  )
  corpus = createCorpus(sessions.flat())
})

/** One signal replaced, added or removed, a priority, or an option. */
function edit(before: Edited, random: () => number): Edited {
  const below = (most: number): number => Math.floor(random() * most)
  const words = corpus.turn(below(corpus.turns)).text.match(/[A-Za-z]{3,12}/g) ?? ['file']
  const word = (words[below(words.length)] ?? 'file').toLowerCase()
  const at = below(before.domains.length)
  const withDomain = (change: (domain: (typeof file.domains)[number]) => object): Edited => ({
    ...before,
    domains: before.domains.map((one, place) => (place === at ? { ...one, ...change(one) } : one)),
  })
  switch (below(6)) {
    case 0:
      return withDomain(({ signals }) => ({ signals: [...signals, String.raw`\b${word}\b`] }))
    case 1:
      return withDomain(({ signals }) => ({ signals: signals.slice(1) }))
    case 2:
      return withDomain(({ signals }) => ({
        signals: [...signals, { pattern: word, weight: 1 + below(4) / 2 }],
      }))
    case 3:
      return withDomain(() => ({ priority: below(9) }))
    case 4:
      return { ...before, options: { ...before.options, momentumThreshold: 1 + below(6) } }
    default:
      return { ...before, options: { ...before.options, secondaryMinSignals: 1 + below(3) } }
  }
}

it('[T5] [L103] [L112] pipeline, lab and batch decide every turn alike after random edits', () => {
  for (const preset of PRESETS) {
    const random = randomOf(SEED)
    const scorer = createScorer(corpus)
    let edited: Edited = { preset, domains: file.domains, options: {} }
    let scored = finish(scorer.score(pipelineOf(edited)))
    const count = Math.ceil(caseCount('lab: one decision') / PRESETS.length)
    for (let nth = 0; nth < count; nth += 1) {
      edited = edit(edited, random)
      const pipeline = pipelineOf(edited)
      scored = finish(scorer.score(pipeline, { previous: scored }))
      const inside = insideOf(scored)
      if (inside === undefined) throw new Error('the scorer keeps its numbers')
      // As edits of a batch do: classes of slots, over the numbers that fired.
      const classes = createScoreClasses()
      const plan = planSlots(pipeline, classes)
      const names = createFoldNames()
      const folding = createFolding(names)
      const { scored: ofClass } = createClassScores(pipeline, plan, classes)
      const outcomes = folding.outcomes(pipeline.belief, ofClass)
      const ofPipeline: Array<readonly [BeliefState, number, number]> = []
      const ofLab: unknown[] = []
      const ofBatch: unknown[] = []
      for (const { first, turns } of corpus.sessions) {
        let state = INITIAL_STATE
        for (const [at, { outcome }] of [...replayTurns(pipeline, turns)].entries()) {
          const turn = first + at
          ofPipeline.push([outcome.state, shownOf(names, outcome), shownOf(inside.names, outcome)])
          ofLab.push([scored.after(turn), inside.folded.shown[turn]])
          const slots = outcome.fired.map((number) => plan.slots[number] ?? 0)
          const found = outcomes(classes.classOf(slots, 0, slots.length), state)
          state = folding.after(found)
          ofBatch.push([names.state(state), folding.shown(found)])
        }
      }
      expect(ofBatch).toEqual(ofPipeline.map(([after, shown]) => [after, shown]))
      expect(ofLab).toEqual(ofPipeline.map(([after, , shown]) => [after, shown]))
    }
  }
})
