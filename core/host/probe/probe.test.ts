import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../wire/contract.ts'
import { initialProbeState, probeMessage } from '../../engine/probe/run.ts'
import { type Input, connect } from '../../wire/rpc.ts'
import { portPair } from '../../../fixtures/port-pair.ts'
import { streamOf } from '../../wire/stream-of.ts'
import { CONFIG, collect, makeFolder, openIn, REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import { makeHostHere } from '../../../fixtures/host-here.ts'
import { openService, QUIET, SETTINGS } from '../../../fixtures/probe/service.ts'

// The whole way: window, main process, session thread, probe thread, the shipped sentence model, the
// three sample collections.
const root = makeFolder()
const host = makeHostHere({ workspace: root, stateDir: join(root, '.turnscope') })
const pair = portPair()
host.mount(pair.right)
const client = connect<TurnscopeContract>(pair.left)
const NEVER = new AbortController().signal

type Patch = Input<TurnscopeContract, 'probe.text'>['options']
const probe = (text: string, preset = 'recommended', options: Patch = {}) =>
  client.call('probe.text', { text, preset, options, embedder: null })

/** Opens a session with these user messages. */
async function openMessages(texts: readonly string[]) {
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's', title: 'Made up' },
    ...texts.map((text) => ({ kind: 'user', text })),
  ]
  const path = join(makeFolder(), 'session.jsonl')
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return { key: (await openIn(client, { kind: 'path', path })).key, session: 0 }
}
type Address = Awaited<ReturnType<typeof openMessages>>

async function columnsOf(address: Address, options: Patch = {}) {
  const steps = await collect(client, 'probe.session', { ...address, config: CONFIG, options })
  const last = steps.at(-1)
  if (last?.kind !== 'probed') throw new Error('nothing was probed')
  return last.columns
}

const turnOf = (address: Address, seq: number, options: Patch = {}) =>
  client.call('probe.turn', { ...address, seq, config: CONFIG, options })

const WALKTHROUGH = "What happened at Rogue's End after the Tower Faction arrived?"

beforeAll(async () => {
  // The samples are indexed with the first question (D48).
  await probe(WALKTHROUGH)
  await client.call('settings.set', { probe: { samples: true } })
}, 240_000)
afterAll(async () => {
  await host.close()
})

test('[D70] the sample collections answer for own sessions only where that is chosen', async () => {
  await client.call('settings.set', { probe: { samples: false } })
  const own = await openMessages([WALKTHROUGH])
  expect((await columnsOf(own)).collections).toEqual([])
  expect((await turnOf(own, 0)).result.skipped).toBe('no_collections')
  const ask = { text: WALKTHROUGH, preset: 'recommended', most: 5, samples: false }
  expect((await client.call('probe.retrieve', ask)).documents).toEqual([])
  const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
  expect((await columnsOf({ key, session: 0 })).collections).toContain('dnd_campaign')
  // Texts typed to try the probe query the samples in any case.
  expect((await probe(WALKTHROUGH)).primary_collection).toBe('dnd_campaign')
  await client.call('settings.set', { probe: { samples: true } })
  expect((await columnsOf(own)).collections).toContain('dnd_campaign')
})

test('[D71] [D72] hit rates of a session and of a corpus; keywords that are covered', async () => {
  const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
  const input = { key, session: 0, config: CONFIG, options: {} }
  const probed = (await collect(client, 'probe.session', input)).at(-1)
  if (probed?.kind !== 'probed') throw new Error('nothing was probed')
  const { rate, columns } = probed
  expect(rate).toMatchObject({ messages: 21, hit: columns.hits.filter((hits) => hits > 0).length })
  await client.call('settings.set', { probe: { samples: false } })
  const opening = { keys: [key], folders: [], samples: false, config: CONFIG }
  const corpus = (await collect(client, 'lab.open', opening)).at(-1)
  if (corpus?.kind !== 'ready') throw new Error('no corpus')
  const asked = { corpus: corpus.corpus, preset: 'recommended' }
  const rates = (await collect(client, 'probe.corpus', asked)).at(-1)
  // A corpus of sample sessions asks the samples.
  expect(rates).toMatchObject({ kind: 'rates', total: rate, sessions: [{ rate }] })
  const { keywords } = await client.call('probe.keywords', { preset: 'recommended' })
  expect(keywords).toHaveLength(9)
  expect(keywords.find(({ keyword }) => keyword === 'lattice')).toMatchObject({ covered: true })
  await client.call('settings.set', { probe: { samples: true } })
})

test('[T83] options of the probe are switched one at a time, and messages with another answer counted', async () => {
  const own = await openMessages([WALKTHROUGH, 'Who rules the Tower Faction these days?'])
  const compare = { ...CONFIG, preset: 'literal' }
  const input = { ...own, config: CONFIG, compare, probe: true }
  const last = (await collect(client, 'session.causes', input)).at(-1)
  if (last?.kind !== 'causes') throw new Error('no causes')
  const probed = last.others.find(({ group }) => group === 'probe')
  expect(probed?.why).toBe(null)
  expect(probed?.flips).toBeGreaterThanOrEqual(0)
  expect(probed?.causes.map(({ name }) => name)).toContain('probe.rule')
  for (const { alone, needed } of probed?.causes ?? []) {
    expect(alone).not.toBe(null)
    if (probed?.flips === 0) expect(needed).toBe(false)
  }
})

describe('the documents’ examples with the shipped model', () => {
  test('[D48] [D10] the walkthrough: one collection, its persona, the single format', async () => {
    const result = await probe(WALKTHROUGH)
    expect(result).toMatchObject({
      phrases_tested: ["Rogue's End", 'Tower Faction'],
      primary_collection: 'dnd_campaign',
      supplemental_collections: [],
      strength: 'strong',
      persona: { persona: 'dnd_player_assistant', source: 'probe', refused: null },
      skipped: null,
      errors: [],
    })
    expect(result.prompt).toMatch(
      /^\[SEMANTIC CONTEXT\]\nMatched knowledge: dnd_campaign\n- "Rogue's End" \(0\.\d\d\) — from locations_braeneage\.md\n- "Tower Faction" \(0\.\d\d\) — from factions_overview\.md$/u,
    )
    expect(result.intent).toContain("matched entities: Rogue's End, Tower Faction")
  })

  test('[D7] [D10] Rupert: the system first, the campaign beside it', async () => {
    const text = "Check the system logs for when Rupert's character sheet was last updated"
    const result = await probe(text)
    expect(result.primary_collection).toBe('system')
    expect(result.supplemental_collections[0]).toBe('dnd_campaign')
    expect(result.persona.persona).toBe('system_operator')
    expect(result.prompt).toMatch(/^\[PRIMARY CONTEXT — system\]\n- "system logs"/u)
    expect(result.prompt).toContain('[SUPPLEMENTAL — dnd_campaign]\n- "Rupert"')
  })

  test('[L25] typographic apostrophes find what plain ones find', async () => {
    const plain = await probe(WALKTHROUGH)
    const curly = await probe(WALKTHROUGH.replace("'", '’'))
    const found = (result: typeof plain) =>
      result.hits.map(({ collection, filename, chunk_idx, similarity, lexical }) => ({
        collection,
        filename,
        chunk_idx,
        similarity,
        lexical,
      }))
    expect(curly.phrases_tested[0]).toBe('Rogue’s End')
    expect(found(curly)).toEqual(found(plain))
  })

  test('[L26] a drive on the verge of dying switches no persona', async () => {
    const address = await openMessages([WALKTHROUGH, 'my main drive was on the verge of dying'])
    const { result } = await turnOf(address, 1)
    expect(result.phrases_tested).toEqual(['main drive', 'verge'])
    expect(result.persona.persona).toBe('dnd_player_assistant')
    expect(result.persona.source).toBe('held')
  })

  test('[L26] one weak hit, which the document’s rule would follow, is refused and stays visible', async () => {
    const weak = 'my main drive was on the verge of dying'
    // So low a threshold that the best chunk of this very message is a hit.
    const literal = await probe(weak, 'literal', { threshold: 0.2 })
    expect(literal.hits.length).toBeGreaterThan(0)
    expect(literal.persona).toMatchObject({ source: 'probe', refused: null })
    const best = literal.hits.reduce((a, b) => (a.similarity > b.similarity ? a : b))
    const options = { threshold: best.similarity, rule: { kind: 'cosine' as const } }
    const recommended = await probe(weak, 'recommended', options)
    expect(recommended.strength).toBe('weak')
    expect(recommended.hits).toHaveLength(1)
    expect(recommended.persona).toMatchObject({
      persona: null,
      refused: { collection: best.collection, reason: 'weak' },
    })
  })

  test('[D2] "Hello" and commands are not probed, and it says why', async () => {
    expect(await probe('Hello')).toMatchObject({ skipped: 'too_short', hits: [], prompt: null })
    expect(await probe('/help')).toMatchObject({ skipped: 'reflex_command' })
    expect(await probe('exit')).toMatchObject({ skipped: 'reflex_command', phrases: [] })
  })

  test('[L25] other languages: names are found in them, and nothing is made up', async () => {
    const german = await probe('Was geschah in Rogue’s End, nachdem die Tower Faction ankam?')
    expect(german.primary_collection).toBe('dnd_campaign')
    const none = await probe('塔楼派系到来之后盗贼末路发生了什么?')
    expect(none).toMatchObject({ skipped: null, hits: [], primary_collection: null, errors: [] })
    expect(none.phrases_tested.length).toBeGreaterThan(0)
    const other = await probe('Wie koche ich eine gute Linsensuppe für acht Gäste?')
    expect(other.primary_collection).toBeNull()
  })
})

describe('[D45] sessions', () => {
  const phrase = "Tell me more of Rogue's End now"
  const filler = (turn: number) => `Please count slowly up to ${turn} hundred and thirty`
  // Asked at turn 0; again at 10, the last turn for which the answer counts, then at 11 and 16.
  const texts = Array.from({ length: 17 }, (_, turn) =>
    [0, 10, 11, 16].includes(turn) ? `${phrase}${'!'.repeat(turn)}` : filler(turn),
  )

  test('[D5] [L27] over sixteen turns an answer is used for ten, then asked anew', async () => {
    const address = await openMessages(texts)
    const columns = await columnsOf(address)
    expect(columns.seq).toEqual(texts.map((_, seq) => seq))
    const asked = [0, 10, 11, 16].map((seq) => ({
      hits: columns.hits[seq],
      cached: columns.cached[seq],
    }))
    const hits = columns.hits[0] ?? 0
    expect(hits).toBeGreaterThan(0)
    expect(asked).toEqual([
      { hits, cached: 0 },
      { hits, cached: hits },
      { hits, cached: 0 },
      { hits, cached: hits },
    ])
    const { cache, result } = await turnOf(address, 10)
    expect(result.from_cache).toBe(1)
    expect(cache.entries.find((entry) => entry.phrase === "Rogue's End")).toMatchObject({
      age: 10,
      left: 0,
    })
  })

  test('a turn that is opened is the turn that was probed, whatever was kept of it', async () => {
    const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
    const address = { key, session: 0 }
    // First the last one: nothing is kept yet.
    const last = await turnOf(address, 40)
    const columns = await columnsOf(address)
    expect(columns.seq).toHaveLength(21)
    const service = openService(root)
    try {
      const asked = valueOf(await service.asked(SETTINGS, null, QUIET))
      const options = valueOf(await service.options('recommended', {}))
      let state = initialProbeState
      for (const [index, seq] of columns.seq.entries()) {
        const { text, result } = await turnOf(address, seq)
        const direct = await probeMessage(text, state, options, asked.ports(NEVER))
        state = direct.state
        expect(timeless(result)).toEqual(timeless(direct.result))
        expect(columns.hits[index]).toBe(result.hits.length)
      }
    } finally {
      await service.close()
    }
    expect(timeless(last.result)).toEqual(timeless((await turnOf(address, 40)).result))
  })

  test('[L26] the sample shows a switch, a refused one, skipped and cached messages', async () => {
    const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
    const columns = await columnsOf({ key, session: 0 })
    expect(new Set(columns.persona)).toEqual(new Set([0, 1, 2]))
    expect(columns.refused).toContain(1)
    expect(columns.cached.some((cached) => cached > 0)).toBe(true)
    expect(new Set(columns.skipped)).toEqual(new Set([-1, 0, 1, 2]))
    expect(columns.errors.every((errors) => errors === 0)).toBe(true)
  })

  test('[D16] a threshold that moves agrees with a probe at that threshold', async () => {
    const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
    const address = { key, session: 0 }
    const steps = await collect(client, 'probe.scores', { ...address, config: CONFIG, options: {} })
    const scores = steps.at(-1)
    if (scores?.kind !== 'scores') throw new Error('no scores')
    for (const threshold of [0.25, 0.35, 0.45, 0.6]) {
      const probed = await columnsOf(address, { threshold })
      const hit = new Set(scores.seq.filter((_, row) => (scores.reach[row] ?? 0) >= threshold))
      const really = probed.seq.filter((_, row) => (probed.hits[row] ?? 0) > 0)
      expect([...hit].toSorted((a, b) => a - b)).toEqual(really)
    }
  })

  test('[D15] [D12] a turn has its classification, its field and its text', async () => {
    const address = await openMessages(['Good morning to all of you', WALKTHROUGH])
    const turn = await turnOf(address, 1)
    expect(turn.text).toBe(WALKTHROUGH)
    expect(turn.query.context).toBe(turn.result.intent)
    expect(turn.query.after.needsVault).toBe(true)
    expect(turn.field).toMatchObject({
      key: 'semantic_probe_result',
      value: { primary_collection: 'dnd_campaign', from_cache: 0 },
    })
  })

  test('[P9] a prompt receives the block of its message, when it is asked for', async () => {
    const address = await openMessages(['Good morning to all of you', WALKTHROUGH])
    const ask = { ...address, seq: 1, config: CONFIG, compare: { ...CONFIG, preset: 'literal' } }
    const without = await client.call('session.prompt', ask)
    expect(without.prompt.placements.map((each) => each.what)).not.toContain('probe_context')
    const with_ = await client.call('session.prompt', { ...ask, probe: true })
    expect(with_.prompt.placements).toContainEqual(
      expect.objectContaining({ what: 'probe_context', placed: true }),
    )
    const { result } = await turnOf(address, 1)
    expect(with_.prompt.prompt?.content).toContain(result.prompt)
    // The message before had nothing to add: the difference says so.
    const added = with_.previous?.diff.filter((part) => part.op === 'added')
    expect(JSON.stringify(added)).toContain('SEMANTIC CONTEXT')
  })

  test('an event that is no message answers for the message before it; before the first it is refused', async () => {
    const { key } = await openIn(client, { kind: 'sample', id: 'three-shelves' })
    const address = { key, session: 0 }
    expect((await turnOf(address, 1)).text).toBe((await turnOf(address, 0)).text)
    const none = await openIn(client, { kind: 'sample', id: 'claude-code-demo' })
    await expect(turnOf({ key: none.key, session: 0 }, 0)).rejects.toThrow('no message of a person')
  })

  test('[L27] a session that was closed is not probed any more', async () => {
    const address = await openMessages([WALKTHROUGH])
    expect((await columnsOf(address)).seq).toEqual([0])
    await client.call('session.close', { key: address.key })
    await expect(turnOf(address, 0)).rejects.toThrow('not open')
  })

  test('a cancelled probe leaves nothing half-done', async () => {
    const address = await openMessages(texts)
    const stop = new AbortController()
    const input = { ...address, config: CONFIG, options: { maxPhrases: 7 } }
    for await (const step of streamOf(client, 'probe.session', input, stop.signal)) {
      expect(step.kind).toBe('progress')
      stop.abort()
    }
    const columns = await columnsOf(address, { maxPhrases: 7 })
    expect(columns.seq).toHaveLength(17)
    expect(columns.errors.every((errors) => errors === 0)).toBe(true)
  })
})

/** Removes times from a result. */
function timeless<T extends object>(result: T): T {
  const zero = { extract: 0, embed: 0, search: 0, total: 0 }
  return { ...result, times: zero, probe_time_ms: 0 }
}

describe('[D46] [D47] labelled queries', () => {
  test('a curve counts its queries; its points are those of its rows', async () => {
    const ask = { queries: 'tune', embedder: null, collection: null, preset: 'recommended' }
    const curve = (await collect(client, 'probe.curve', ask)).at(-1)
    if (curve?.kind !== 'curve') throw new Error('no curve')
    expect(curve.queries).toBe(37)
    expect(curve.rows).toHaveLength(37)
    const point = curve.points.find((each) => each.threshold === 0.35)
    expect(point?.primary.of).toBe(curve.rows.filter((row) => row.wanted !== null).length)
    expect(point?.primary.value).toBeGreaterThan(0.8)
    const none = curve.rows.filter((row) => row.wanted === null)
    const hit = none.filter((row) => row.best.some((each) => each.reach >= 0.35))
    expect(point?.falseHits).toMatchObject({ hits: hit.length, of: none.length })
  })

  test('one collection: what others answer belongs to none', async () => {
    const ask = { queries: 'tune', embedder: null, collection: 'system', preset: 'literal' }
    const curve = (await collect(client, 'probe.curve', ask)).at(-1)
    if (curve?.kind !== 'curve') throw new Error('no curve')
    expect(new Set(curve.rows.map((row) => row.wanted))).toEqual(new Set(['system', null]))
    const asked = new Set(curve.rows.flatMap((row) => row.best.map((each) => each.collection)))
    expect(asked).toEqual(new Set(['system']))
  })

  test('an own set joins; a bad line is refused with its number', async () => {
    const own = makeFolder({
      'profiles/queries/mine.jsonl':
        '{"id":"a","text":"who is BlueShot, tell me","collection":null}\n',
      'profiles/queries/bad.jsonl': '\n{"id":"a"}\n',
    })
    const mine = makeHostHere({ workspace: own, stateDir: join(root, '.turnscope') })
    const ports = portPair()
    mine.mount(ports.right)
    const other = connect<TurnscopeContract>(ports.left)
    try {
      const { sets } = await other.call('probe.querySets', {})
      expect(sets).toEqual([
        { name: 'tune', queries: 37 },
        { name: 'held', queries: 43 },
        { name: 'mine', queries: 1 },
      ])
      const ask = { queries: 'bad', embedder: null, collection: null, preset: 'literal' }
      await expect(collect(other, 'probe.curve', ask)).rejects.toThrow('bad.jsonl:2')
      const gone = { ...ask, queries: 'nothing' }
      await expect(collect(other, 'probe.curve', gone)).rejects.toThrow('tune, held, bad, mine')
    } finally {
      await mine.close()
    }
  })
})

describe('[D13] what follows the probe', () => {
  test('retrieval asks no collection again that was hit, and adds what stands beside', async () => {
    const ask = { text: WALKTHROUGH, preset: 'recommended', most: 20 }
    const { skipped, documents } = await client.call('probe.retrieve', ask)
    expect(skipped).toEqual(['dnd_campaign'])
    const places = documents.map((each) => `${each.collection}/${each.filename}#${each.chunk_idx}`)
    expect(new Set(places).size).toBe(places.length)
    expect(documents[0]).toMatchObject({ origin: 'probe', filename: 'factions_overview.md' })
    expect(documents.map((each) => each.origin)).toContain('adjacent')
    for (const each of documents.filter((one) => one.origin === 'retrieval'))
      expect(skipped).not.toContain(each.collection)
  })

  test('a chunk is shown in place, with those beside it and its document', async () => {
    const at = { collection: 'dnd_campaign', filename: 'locations_braeneage.md' }
    const { path, chunks } = await client.call('probe.chunk', { ...at, chunk_idx: 2, around: 1 })
    expect(chunks.map((chunk) => chunk.chunk_idx)).toEqual([1, 2, 3])
    expect(path).toBe(join(REPOSITORY, 'fixtures/collections/dnd_campaign/locations_braeneage.md'))
    const none = client.call('probe.chunk', { ...at, chunk_idx: 999, around: 0 })
    await expect(none).rejects.toThrow('there is no such chunk')
  })
})

describe('[D41] embedders are a part of the settings', () => {
  test('added, chosen, refused, removed', async () => {
    const config = { kind: 'folder', title: 'My Model!', path: '/no/such/model' } as const
    const { name } = await client.call('probe.addEmbedder', { config })
    expect(name).toBe('my-model')
    expect((await client.call('probe.addEmbedder', { config })).name).toBe('my-model-2')
    await client.call('probe.setEmbedder', { name })
    expect((await client.call('probe.embedders', {})).current).toBe('my-model')
    // [L28] An embedder that cannot be had is an error of the message, not silence.
    const failed = await probe(WALKTHROUGH)
    expect(failed.hits).toEqual([])
    expect(failed.errors).toEqual([
      expect.objectContaining({ collection: null, what: expect.any(String) as string }),
    ])
    await client.call('probe.removeEmbedder', { name })
    await client.call('probe.removeEmbedder', { name: 'my-model-2' })
    expect((await client.call('probe.embedders', {})).current).toBe('minilm')
    expect((await probe(WALKTHROUGH)).errors).toEqual([])
    await expect(client.call('probe.setEmbedder', { name })).rejects.toThrow('no embedder')
    await expect(client.call('probe.removeEmbedder', { name: 'minilm' })).rejects.toThrow(
      'no embedder',
    )
  })

  test('a workspace can prescribe one', async () => {
    const text = 'embedder: minilm\ncollections: []\n'
    const own = makeFolder({ 'profiles/collections.yaml': text })
    const mine = makeHostHere({ workspace: own, stateDir: join(own, '.turnscope') })
    const ports = portPair()
    mine.mount(ports.right)
    const other = connect<TurnscopeContract>(ports.left)
    try {
      const config = { kind: 'folder', title: 'Mine', path: '/no/such/model' } as const
      const { name } = await other.call('probe.addEmbedder', { config })
      const set = other.call('probe.setEmbedder', { name })
      await expect(set).rejects.toThrow('Take out its line "embedder" first')
      expect((await other.call('settings.get', {})).probe.embedder).toBe('minilm')
      const none = { text: WALKTHROUGH, preset: 'recommended', options: {}, embedder: null }
      expect(await other.call('probe.text', none)).toMatchObject({ skipped: 'no_collections' })
    } finally {
      await mine.close()
    }
  })

  test('[D47] [L29] measuring keeps the threshold in the settings', async () => {
    const steps = await collect(client, 'probe.measureEmbedder', { name: 'minilm' })
    const measured = steps.at(-1)
    if (measured?.kind !== 'measured') throw new Error('nothing was measured')
    expect(measured.queries).toBe(37)
    const { probe: kept } = await client.call('settings.get', {})
    expect(kept.measured['minilm']).toEqual({ threshold: measured.threshold, queries: 37 })
    const { collections } = await client.call('probe.collections', {})
    for (const each of collections)
      expect(each.threshold).toBeGreaterThanOrEqual(measured.threshold)
  })
})

test('[D2] a preset or a switch turns it off', async () =>
  expect(await probe(WALKTHROUGH, 'recommended', { enabled: false })).toMatchObject({
    skipped: 'off',
  }))
