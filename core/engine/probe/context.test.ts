import { describe, expect, it } from 'vitest'
import { classifyQuery } from '../query/classify.ts'
import {
  type SessionProbeCache,
  cacheState,
  emptyProbeCache,
  nextTurn,
  remember,
} from './phrase-cache.ts'
import { recommendedProbe } from './options.ts'
import { probeField } from './prompt-block.ts'
import { queryInContext } from './query-context.ts'
import { initialProbeState, probeMessage } from './run.ts'

const before = classifyQuery("Who lives at Rogue's End?", null, {
  wholeWords: true,
  leadingImperative: true,
  noBoostWithoutMatch: true,
  blankIsEmpty: true,
})
const intent = "The user's message references content from the dnd_campaign knowledge base."
const hit = { intent, primary_collection: 'dnd_campaign' } as const

describe('[D15] query classification in context', () => {
  it('[D15] a moderate or strong hit asks for documents; type and confidence stay', () => {
    expect(before.needsVault).toBe(false)
    for (const strength of ['moderate', 'strong'] as const) {
      const { context, after, why } = queryInContext(before, { ...hit, strength })
      expect(context).toBe(intent)
      expect(after).toEqual({ ...before, needsVault: true })
      expect(why).toContain(`dnd_campaign (${strength})`)
    }
  })

  it('[D15] a weak hit or none changes nothing', () => {
    const weak = queryInContext(before, { ...hit, strength: 'weak' })
    expect(weak.after).toEqual(before)
    expect(weak.why).toMatch(/not relied on/u)
    const none = { intent: null, primary_collection: null, strength: 'none' } as const
    expect(queryInContext(before, none)).toMatchObject({ context: null, after: before })
  })
})

function asked(cache: SessionProbeCache, ...phrases: readonly string[]): SessionProbeCache {
  const at = nextTurn(cache, 10)
  return remember(
    at,
    phrases.map((phrase) => ({ phrase, collection: 'a', version: '1', hits: [] })),
  )
}

describe('[D17] the state of the cache', () => {
  it('[D17] says how old each phrase is at the next message and how long it still counts', () => {
    const state = cacheState(asked(asked(emptyProbeCache, 'Tower Faction'), 'Rupert'), 10)
    expect(state).toEqual({
      turn: 2,
      size: 2,
      entries: [
        { phrase: 'Tower Faction', age: 2, left: 8 },
        { phrase: 'Rupert', age: 1, left: 9 },
      ],
    })
  })

  it('[D17] a phrase that will have aged out at the next message is not in it', () => {
    let cache = asked(emptyProbeCache, 'Rupert')
    for (let turn = 0; turn < 9; turn += 1) cache = nextTurn(cache, 10)
    expect(cacheState(cache, 10).entries).toEqual([{ phrase: 'Rupert', age: 10, left: 0 }])
    expect(cacheState(nextTurn(cache, 10), 10).size).toBe(0)
  })

  it('[D17] lists the oldest 200 and counts all', () => {
    const many = Array.from({ length: 300 }, (_, index) => `Phrase ${index}`)
    const state = cacheState(asked(emptyProbeCache, ...many), 10)
    expect([state.size, state.entries.length]).toEqual([300, 200])
  })
})

it('[D12] the data field has the names of the document and nothing of ours', async () => {
  const { result } = await probeMessage(
    "Who lives at Rogue's End?",
    initialProbeState,
    recommendedProbe,
    {
      embedder: {
        id: 'one',
        dimensions: 1,
        threshold: 0.35,
        remote: false,
        embed: async (texts) =>
          Promise.resolve({ ok: true, value: texts.map(() => new Float32Array([1])) }),
      },
      collections: [
        {
          name: 'dnd_campaign',
          version: '1',
          embedder: 'one',
          threshold: null,
          persona: null,
          keywords: [],
          search: async (queries) => {
            const place = {
              chunk_text: 'A village.',
              filename: 'places.md',
              chunk_idx: 3,
              lines: null,
            }
            return Promise.resolve({
              ok: true,
              value: queries.map(() => [{ ...place, similarity: 0.8, lexical: 1 }]),
            })
          },
        },
      ],
      clock: () => 0,
      signal: { aborted: false },
    },
  )
  expect(probeField(result)).toEqual({
    key: 'semantic_probe_result',
    value: {
      hits: [
        {
          phrase: "Rogue's End",
          collection: 'dnd_campaign',
          chunk_text: 'A village.',
          similarity: 0.8,
          filename: 'places.md',
          chunk_idx: 3,
        },
      ],
      primary_collection: 'dnd_campaign',
      supplemental_collections: [],
      probe_time_ms: 0,
      phrases_tested: ["Rogue's End"],
      from_cache: 0,
    },
    type: 'json',
    source: 'semantic_probe',
  })
})
