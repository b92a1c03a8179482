import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadPreset, must } from '../../../../fixtures/load.ts'
import { finish } from '../../../../fixtures/lab-corpus.ts'
import { createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { diffCorpus } from '../../../engine/lab/flips/flips.ts'
import { createScorer } from '../../../engine/lab/scoring/score-corpus.ts'
import { compileDomains } from '../../../engine/matcher/domains.ts'
import { loadDomains } from '../../../engine/matcher/load-domains.ts'
import { compileSignal } from '../../../engine/matcher/signal.ts'
import { createPipeline, type Pipeline } from '../../../engine/pipeline.ts'
import type { DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { turnsOf } from '../../../engine/turns.ts'
import { readReal, realFiles } from '../../../../fixtures/real-files.ts'
import { flipsByDefinition, replay } from '../../../../fixtures/replays.ts'

/** Formats with long tool results, and with texts that are not ASCII. */
const FORMATS = ['codex', 'sharegpt', 'openai-messages', 'claude-web-session', 'who-and-when']
const KNOWN_FILES = 54
/** Maximum turns of one session to test: every edit replays them in full for comparison. */
const MOST_TURNS = 40

const found = realFiles(FORMATS, KNOWN_FILES)
const preset = loadPreset('recommended')
const url = new URL('../../../../profiles/domains/default.yaml', import.meta.url)
const file = must(loadDomains(parse(readFileSync(url, 'utf8')), 'default.yaml'))

/** Signals compiled before, by entry: the files differ in one. */
const compiled = new Map<SignalEntry, ReturnType<typeof compileSignal>>()

function pipelineOf(entries: DomainFile): Pipeline {
  const { asciiBoundaries } = preset.belief
  const set = compileDomains(entries, { asciiBoundaries }, (entry, where, options) => {
    const known = compiled.get(entry) ?? compileSignal(entry, where, options)
    compiled.set(entry, known)
    return known
  })
  return must(createPipeline(must(set), preset, null))
}

/** The file with the second signal of a domain replaced, or without it. */
function edited(domain: number, entry: SignalEntry | null): DomainFile {
  const domains = file.domains.map((one, at) => {
    if (at !== domain) return one
    return { ...one, signals: one.signals.toSpliced(1, 1, ...(entry === null ? [] : [entry])) }
  })
  return { ...file, domains }
}

const EDITS: ReadonlyArray<SignalEntry | null> = [
  null,
  String.raw`\b(?:file(s)?|\d{4})\b`,
  String.raw`error.{0,20}line|\?\s*$|—`,
]

describe.skipIf(found.length === 0)('the lab over real sessions', () =>
  it('[T5] [T7] [T8] decides and flips as replays do', async () => {
    const sessions = []
    for (const entry of found) {
      const { sessions: all } = await readReal(entry)
      const turns = all.flatMap((one) => {
        const found = turnsOf(one.events, preset.belief.classify)
        return plainEvents({ events: found, texts: one.texts })
      })
      sessions.push({ id: entry.file, turns: turns.slice(0, MOST_TURNS) })
    }
    const corpus = createCorpus(sessions)
    expect(corpus.turns).toBeGreaterThan(200)
    const scorer = createScorer(corpus)
    const named = { preset: '', domains: '', profile: null, classify: null }
    const replays = (pipeline: Pipeline) =>
      corpus.sessions.map(({ turns }) => replay(pipeline, turns, named))
    const base = finish(scorer.score(pipelineOf(file)))
    const before = replays(base.pipeline)
    expect([...base.primary]).toEqual(before.flatMap(({ columns }) => columns.primary))
    for (const [at, entry] of EDITS.entries()) {
      const scored = finish(scorer.score(pipelineOf(edited(at, entry)), { previous: base }))
      const after = replays(scored.pipeline)
      expect([...scored.primary]).toEqual(after.flatMap(({ columns }) => columns.primary))
      expect([...scored.enriched]).toEqual(after.flatMap(({ columns }) => columns.enriched))
      const flips = before.flatMap((one, session) =>
        flipsByDefinition(one, after[session]!).map(({ other: _other, ...flip }) => ({
          ...flip,
          session,
        })),
      )
      expect(diffCorpus(base, scored, new Map()).flips).toMatchObject(flips)
      expect(diffCorpus(base, scored, new Map()).total).toBe(flips.length)
    }
  }, 180_000),
)
