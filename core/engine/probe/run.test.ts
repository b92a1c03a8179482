import { describe, expect, test } from 'vitest'
import { err, ok } from '../result.ts'
import type { ProbeOptions, ProbeResult } from '../schema/probe.ts'
import { recommendedProbe } from './options.ts'
import type { Candidate, Embedder, ProbeCollection, ProbePorts } from './ports.ts'
import { loadPreset } from '../../../fixtures/load.ts'
import { initialProbeState, probeMessage, type ProbeState } from './run.ts'

const literalProbe = loadPreset('literal').probe!

/** Cosines by collection and phrase, as if they had been computed. Others have none. */
type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>

const PERSONAS: Readonly<Record<string, string | null>> = {
  dnd_campaign: 'dnd_player_assistant',
  system: 'system_operator',
}

interface World {
  readonly ports: ProbePorts
  readonly embedded: string[]
  readonly broken: Set<string>
}

function world(scores: Scores): World {
  const embedded: string[] = []
  const broken = new Set<string>()
  const embedder: Embedder = {
    id: 'scores',
    dimensions: 2,
    threshold: 0.35,
    remote: false,
    embed: async (texts) => {
      embedded.push(...texts)
      return Promise.resolve(
        broken.has('embedder')
          ? err({ what: 'the model does not answer', where: 'scores', do: 'Start it' })
          : ok(texts.map(() => new Float32Array(2))),
      )
    },
  }
  const collections = Object.entries(scores).map(([name, known]): ProbeCollection => ({
    name,
    version: '1',
    embedder: 'scores',
    threshold: null,
    keywords: [],
    persona: PERSONAS[name] ?? null,
    search: async (queries) =>
      Promise.resolve(
        broken.has(name)
          ? err({ what: 'the file is damaged', where: name, do: 'Index it again' })
          : ok(queries.map(({ text }) => candidates(name, known[text]))),
      ),
  }))
  return {
    ports: { embedder, collections, clock: () => 0, signal: { aborted: false } },
    embedded,
    broken,
  }
}

function candidates(name: string, similarity: number | undefined): readonly Candidate[] {
  if (similarity === undefined) return []
  const chunk_text = `a chunk of ${name}`
  return [{ chunk_text, filename: `${name}.md`, chunk_idx: 0, lines: null, similarity, lexical: 0 }]
}

async function session(
  { ports }: World,
  texts: readonly string[],
  options: ProbeOptions = recommendedProbe,
): Promise<{ readonly results: readonly ProbeResult[]; readonly state: ProbeState }> {
  let state = initialProbeState
  const results: ProbeResult[] = []
  for (const text of texts) {
    const turn = await probeMessage(text, state, options, ports)
    results.push(turn.result)
    state = turn.state
  }
  return { results, state }
}

const WALKTHROUGH = "What happened at Rogue's End after the Tower Faction arrived?"
const RUPERT = "Check the system logs for when Rupert's character sheet was last updated"
const DOCUMENT: Scores = {
  dnd_campaign: { "Rogue's End": 0.89, 'Tower Faction': 0.85, 'character sheet': 0.52 },
  system: { "Rogue's End": 0.12, 'Tower Faction': 0.08, 'system logs': 0.71 },
}

describe('[D7] [D9] [D10] [D11] the walkthrough of the document', () => {
  test('one collection: persona, prompt and intent follow', async () => {
    const { results } = await session(world(DOCUMENT), [WALKTHROUGH], literalProbe)
    expect(results[0]).toMatchObject({
      phrases_tested: ["Rogue's End", 'Tower Faction'],
      primary_collection: 'dnd_campaign',
      supplemental_collections: [],
      strength: 'strong',
      persona: { persona: 'dnd_player_assistant', source: 'probe', refused: null },
      skipped: null,
      from_cache: 0,
    })
    expect(results[0]?.prompt).toBe(
      [
        '[SEMANTIC CONTEXT]',
        'Matched knowledge: dnd_campaign',
        '- "Rogue\'s End" (0.89) — from dnd_campaign.md',
        '- "Tower Faction" (0.85) — from dnd_campaign.md',
      ].join('\n'),
    )
    expect(results[0]?.intent).toContain("matched entities: Rogue's End, Tower Faction")
  })

  test('two collections: primary and supplemental', async () => {
    const { results } = await session(world(DOCUMENT), [RUPERT])
    expect(results[0]).toMatchObject({
      primary_collection: 'system',
      supplemental_collections: ['dnd_campaign'],
      persona: { persona: 'system_operator' },
    })
    expect(results[0]?.prompt).toBe(
      [
        '[PRIMARY CONTEXT — system]',
        '- "system logs" (0.71) — system.md',
        '',
        '[SUPPLEMENTAL — dnd_campaign]',
        '- "character sheet" (0.52) — dnd_campaign.md',
      ].join('\n'),
    )
  })
})

describe('[D8] [L26] strength and persona', () => {
  const drive = 'my main drive was on the verge of dying'
  const scores = { dnd_campaign: { verge: 0.41, 'Jade Phoenix': 0.55 }, system: { daemon: 0.9 } }

  test('one weak hit does not switch the persona, and stays visible', async () => {
    const [result] = (await session(world(scores), [drive])).results
    expect(result).toMatchObject({
      strength: 'weak',
      hits: [{ phrase: 'verge' }],
      persona: {
        persona: null,
        refused: { persona: 'dnd_player_assistant', collection: 'dnd_campaign', reason: 'weak' },
      },
    })
  })

  test('literal: any hit switches it', async () => {
    const [result] = (await session(world(scores), [drive], literalProbe)).results
    expect(result?.persona).toMatchObject({ persona: 'dnd_player_assistant', refused: null })
  })

  test('a moderate hit cannot leave a persona held for two turns, a strong one can', async () => {
    const moderate = 'Where does the Jade Phoenix nest in winter?'
    const strong = 'restart the daemon for me'
    const { results } = await session(world(scores), [
      strong,
      'what else is there',
      moderate,
      moderate + ' ',
    ])
    expect(results.map((each) => each.persona.persona)).toEqual(
      Array.from({ length: 4 }, () => 'system_operator'),
    )
    expect(results[2]?.persona.refused?.reason).toBe('persona_momentum')
    const back = await session(world(scores), [moderate, 'what else is there', strong])
    expect(back.results.at(-1)?.persona).toMatchObject({ persona: 'system_operator', heldFor: 1 })
  })
})

describe('[D5] [L27] the cache of a session', () => {
  const fillers = Array.from({ length: 16 }, (_, turn) => `so what now, number ${turn}`)

  test('sixteen turns: asked once, then from the cache for ten turns, skipped ones counted, then asked again', async () => {
    const here = world(DOCUMENT)
    const turns = [
      WALKTHROUGH,
      ...fillers.slice(0, 4),
      'hello',
      WALKTHROUGH,
      'ok',
      'ok then',
      WALKTHROUGH,
      ...fillers.slice(4, 9),
      WALKTHROUGH,
    ]
    expect(turns).toHaveLength(16)
    const { results } = await session(here, turns)
    const cached = turns.flatMap((text, turn) =>
      text === WALKTHROUGH ? [results[turn]?.from_cache] : [],
    )
    expect(cached).toEqual([0, 2, 2, 0])
    expect(here.embedded.filter((text) => text === "Rogue's End")).toHaveLength(2)
    expect(results[6]?.hits.every((hit) => hit.from_cache)).toBe(true)
  })

  test('a collection that failed is named, and asked again in the next turn', async () => {
    const here = world(DOCUMENT)
    here.broken.add('dnd_campaign')
    const first = await probeMessage(WALKTHROUGH, initialProbeState, recommendedProbe, here.ports)
    expect(first.result.errors).toEqual([
      {
        collection: 'dnd_campaign',
        what: 'the file is damaged (dnd_campaign)',
        do: 'Index it again',
      },
    ])
    here.broken.clear()
    const again = await probeMessage(`${WALKTHROUGH} `, first.state, recommendedProbe, here.ports)
    expect(again.result.primary_collection).toBe('dnd_campaign')
    expect(again.result.from_cache).toBe(0)
  })

  test('[L28] an embedder that is down is an error of the turn, and nothing is remembered', async () => {
    const here = world(DOCUMENT)
    here.broken.add('embedder')
    const first = await probeMessage(WALKTHROUGH, initialProbeState, recommendedProbe, here.ports)
    expect(first.result).toMatchObject({
      hits: [],
      strength: 'none',
      errors: [{ collection: null }],
    })
    here.broken.clear()
    const again = await probeMessage(`${WALKTHROUGH} `, first.state, recommendedProbe, here.ports)
    expect(again.result.hits).toHaveLength(2)
  })

  test('[L29] vectors of another embedder are not searched, and said', async () => {
    const here = world(DOCUMENT)
    const collections = here.ports.collections.map((each) => ({ ...each, embedder: 'another' }))
    const { result } = await probeMessage(WALKTHROUGH, initialProbeState, recommendedProbe, {
      ...here.ports,
      collections,
    })
    expect(result.errors.map((each) => each.collection)).toEqual(['dnd_campaign', 'system'])
    expect(result.hits).toEqual([])
  })
})
