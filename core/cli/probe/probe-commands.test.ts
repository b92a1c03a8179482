import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const workspace = makeFolder({
  'docs/seals.md': '# Farne\n\nThe lighthouse keeper of Farne feeds grey seals every morning.\n',
  'docs/notes.bin': 'x',
})

const samplesOnly = makeFolder()

const run = (args: readonly string[], input = '') =>
  runHere([...args, '--workspace', workspace], { input })

const QUESTION = "What happened at Rogue's End after the Tower Faction arrived?"

beforeAll(async () => {
  // The samples are indexed with the first question.
  await run(['probe', QUESTION])
  // Other tests add collections.
  cpSync(workspace, samplesOnly, { recursive: true })
}, 240_000)

describe('[D49] probe', () => {
  test('a table for people: phrases, hits against the threshold, persona, times, prompt', async () => {
    const { code, out, err } = await run(['probe', QUESTION])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain("Rogue's End    capitalised at 17-28")
    expect(out).toContain('dnd_campaign  primary, strong')
    expect(out).toMatch(/█+.*\|.* 0\.\d\d ≥ 0\.\d\d {2}Rogue's End/u)
    expect(out).toContain('persona  dnd_player_assistant, by its collection')
    expect(out).toMatch(/extract [\d.]+ of 5 ms, embed [\d.]+ of 50 ms/u)
    expect(out).toContain('[SEMANTIC CONTEXT]\nMatched knowledge: dnd_campaign')
  })

  test('--json is the whole result; --explain adds what stayed below; a skipped one says why', async () => {
    const json = JSON.parse((await run(['probe', QUESTION, '--json'])).out) as {
      readonly primary_collection: string
      readonly phrases: readonly unknown[]
    }
    expect(json.primary_collection).toBe('dnd_campaign')
    expect(json.phrases).toHaveLength(2)
    const explained = await run(['probe', QUESTION, '--explain', '--preset', 'literal'])
    expect(explained.out).toContain('below the threshold')
    expect(explained.out).toContain("intent   The user's message references content")
    expect((await run(['probe', 'Hello'])).out).toContain('not probed: it has too few words')
  })

  test('[L28] an embedder that is not there is said, with exit code 2', async () => {
    const { code, err } = await run(['probe', QUESTION, '--embedder', 'nobody'])
    expect(code).toBe(2)
    expect(err).toContain('nobody')
  })
})

describe('[D71] [D72] rates and keywords', () => {
  test('[D72] probe --keywords says which keywords of personas are still needed', async () => {
    const { code, out } = await run(['probe', '--keywords'])
    expect(code).toBe(0)
    expect(out).toMatch(/^saving throw +(?:covered|needed) +dnd_campaign/mu)
    expect(out).toMatch(/^\d+ of 9 keywords are covered by the probe$/mu)
    const { keywords } = JSON.parse((await run(['probe', '--keywords', '--json'])).out) as {
      readonly keywords: ReadonlyArray<{ readonly keyword: string; readonly covered: boolean }>
    }
    expect(keywords.find(({ keyword }) => keyword === 'lattice')?.covered).toBe(true)
    expect((await run(['probe'])).err).toContain('there is no text to probe')
  })

  test('[D71] stats --probe counts what is found, by session and in all', async () => {
    const sample = fileURLToPath(
      new URL('../../../fixtures/sessions/three-shelves.jsonl', import.meta.url),
    )
    const own = join(workspace, 'own.jsonl')
    writeFileSync(own, readFileSync(sample))
    const { code, out } = await run(['stats', sample, '--probe', '--json'])
    expect(code).toBe(0)
    const { probe } = JSON.parse(out) as { readonly probe: { readonly total: object } }
    const collections: unknown = expect.arrayContaining([
      expect.objectContaining({ collection: 'dnd_campaign' }),
    ])
    expect(probe).toMatchObject({ absent: [], sessions: [{ rate: probe.total }] })
    expect(probe.total).toMatchObject({ messages: 21, failed: 0, collections })
    const silent = await run(['stats', own, '--probe'])
    expect(silent.err).toContain('--samples')
    expect(silent.out).toContain('no session was probed')
    const asked = await run(['stats', own, sample, '--probe', '--samples'])
    expect(asked.out).toMatch(/^ +42 .* all sessions$/mu)
  })
})

describe('[D49] index', () => {
  test('a new collection joins the file, is indexed and found; again, nothing is made anew', async () => {
    const { code, out, err } = await run(['index', 'lights', join(workspace, 'docs')])
    expect(err).toContain('notes.bin: skipped')
    expect(out).toMatch(/^lights: 1 documents in 1 chunks \(1 added, 0 changed, 0 removed\)/u)
    expect(code).toBe(0)
    const file = readFileSync(join(workspace, 'profiles/collections.yaml'), 'utf8')
    expect(file).toMatch(/- name: lights\n {4}paths:\n {6}- docs\n$/u)
    const again = await run(['index', 'lights', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ collection: 'lights', added: 0, documents: 1 })
    const found = await run(['probe', 'Who feeds the grey seals of Farne?', '--json'])
    expect(JSON.parse(found.out)).toMatchObject({ primary_collection: 'lights' })
  })

  test('what cannot be indexed is refused with a way out', async () => {
    const { code, err } = await run(['index', 'unknown'])
    expect(code).toBe(2)
    expect(err).toContain('there is no collection "unknown"')
    expect(err).toContain('name documents for it')
    expect((await run(['index', 'lights', '/no/such/folder'])).code).toBe(2)
  })
})

test('[D68] probe --json says what is retrieved: skipped collections, seeds, neighbours', async () => {
  const { out } = await run([
    'probe',
    "What happened at Rogue's End after the Tower Faction?",
    '--json',
  ])
  const { retrieved, hits } = JSON.parse(out) as Retrieved
  expect(retrieved.skipped).toEqual(['dnd_campaign'])
  const seeds = retrieved.documents.filter(({ origin }) => origin === 'probe')
  const places = new Set(hits.map((hit) => `${hit.filename}#${hit.chunk_idx}`))
  expect(new Set(seeds.map((each) => `${each.filename}#${each.chunk_idx}`))).toEqual(places)
  expect(retrieved.documents.map(({ origin }) => origin)).toContain('adjacent')
})

interface Place {
  readonly filename: string
  readonly chunk_idx: number
}
interface Retrieved {
  readonly hits: readonly Place[]
  readonly retrieved: {
    readonly skipped: readonly string[]
    readonly documents: ReadonlyArray<Place & { readonly origin: string }>
  }
}

describe('[D49] eval probe', () => {
  test('one line out for each line in; a session keeps cache and persona; a bad line goes by', async () => {
    const lines = [
      { session: 's', message: QUESTION },
      { message: QUESTION },
      { session: 's', message: 'Tell me more of the Tower Faction' },
      { session: 's', message: 'my main drive was on the verge of dying' },
      { message: 'Hello' },
    ]
    const input = [...lines.map((line) => JSON.stringify(line)), '{"message": 4}'].join('\n')
    const { code, out, err } = await run(['eval', 'probe'], `${input}\n`)
    expect(code).toBe(2)
    expect(err).toContain('1 line could not be used')
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers).toHaveLength(6)
    expect(Object.keys(answers[0] ?? {})).toEqual([
      'phrases_tested',
      'hits',
      'primary_collection',
      'supplemental_collections',
      'strength',
      'persona',
      'from_cache',
      'skipped',
      'probe_time_ms',
    ])
    const [hit] = (answers[0]?.['hits'] ?? []) as ReadonlyArray<Record<string, unknown>>
    expect(Object.keys(hit ?? {})).toEqual([
      'phrase',
      'collection',
      'chunk_text',
      'similarity',
      'filename',
      'chunk_idx',
    ])
    expect(answers.map((each) => each['from_cache'])).toEqual([0, 0, 1, 0, 0, undefined])
    expect(answers[3]).toMatchObject({ persona: 'dnd_player_assistant', strength: 'weak' })
    expect(answers[4]).toMatchObject({ skipped: 'too_short', persona: null })
    expect(answers[5]).toHaveProperty('error')
  })

  test('a preset of a file is used', async () => {
    const off = readFileSync(
      fileURLToPath(new URL('../../../profiles/presets/literal.yaml', import.meta.url)),
      'utf8',
    ).replace('enabled: true', 'enabled: false')
    const path = join(workspace, 'mine.yaml')
    writeFileSync(path, off)
    const input = `${JSON.stringify({ message: QUESTION })}\n`
    const { out } = await run(['eval', 'probe', '--preset', path], input)
    expect(JSON.parse(out)).toMatchObject({ skipped: 'off', hits: [] })
  })
})

describe('[T81] diff says personas too', () => {
  const session = join(workspace, 'campaign.jsonl')
  writeFileSync(
    session,
    [
      { type: 'session', schemaVersion: 1, id: 's', title: 'Campaign' },
      { kind: 'user', text: 'Tell me about the Tower Faction and its gate' },
      { kind: 'user', text: QUESTION },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  const strict = join(workspace, 'profiles/presets/strict.yaml')
  mkdirSync(dirname(strict), { recursive: true })
  const recommended = readFileSync(
    fileURLToPath(new URL('../../../profiles/presets/recommended.yaml', import.meta.url)),
    'utf8',
  )
  writeFileSync(
    strict,
    recommended
      .replace('name: recommended', 'name: strict')
      .replace('minWords: 3', 'minWords: 500'),
  )
  for (const [name, minWords] of [
    ['off', 3],
    ['off-too', 9],
  ] as const)
    writeFileSync(
      join(dirname(strict), `${name}.yaml`),
      recommended
        .replace('name: recommended', `name: ${name}`)
        .replace(/^( {2}enabled: )true(\n {2}minWords: )3/mu, `$1false$2${minWords}`),
    )
  const sides = async (base: string, head: string, ...args: readonly string[]) =>
    run(['diff', session, '--base', `preset:${base}`, '--head', `preset:${head}`, ...args])
  const compare = async (...args: readonly string[]) => sides('recommended', 'strict', ...args)
  const lastOf = (out: string): unknown => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')

  test('as text and as lines, with the exit code of a finding', async () => {
    const { code, out } = await compare('--samples')
    expect(out).toContain('persona: dnd_player_assistant → none')
    expect(out).toContain('events of other stages flip too: 2 of persona')
    expect(out).toContain('not compared: verdict (the same rules of the coach judge both sides)')
    expect(code).toBe(1)
    const lines = (await compare('--samples', '--json')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'stage', stage: 'persona', is: 'none' }),
    )
    expect(lines.at(-1)).toMatchObject({ type: 'summary', stages: { persona: 2 } })
  })

  test('what was not probed says why', async () => {
    expect((await compare('--no-probe')).out).toContain('not compared: persona (--no-probe')
    const alike = await run(['diff', session, '--base', 'recommended', '--head', 'field', '--json'])
    expect(lastOf(alike.out)).toMatchObject({ uncompared: { persona: 'both sides probe alike' } })
  })

  test.each([
    ['recommended', 'off', 'dnd_player_assistant → none'],
    ['off', 'recommended', 'none → dnd_player_assistant'],
  ])('[L51] where one side has the probe off its persona is none: %s to %s', async (...row) => {
    const [base, head, flip] = row
    const { out } = await sides(base, head, '--samples')
    expect(out).toContain(`persona: ${flip}`)
    expect(out).toContain('events of other stages flip too: 2 of persona')
    expect(out).not.toContain('not compared: persona')
  })

  test('[L51] sides that both have the probe off probe alike, whatever else their options are', async () => {
    const { out } = await sides('off', 'off-too')
    expect(out).toContain('not compared: persona (both sides probe alike)')
  })

  test('[T81] where some sessions are probed and others not, it is said of how many', async () => {
    const shipped = fileURLToPath(
      new URL('../../../fixtures/sessions/three-shelves.jsonl', import.meta.url),
    )
    const why =
      'the workspace has the sample collections only, which are fiction: --samples asks them'
    for (const files of [
      [session, shipped],
      [shipped, session],
    ]) {
      const between = ['--base', 'preset:recommended', '--head', 'preset:strict']
      const args = ['diff', ...files, ...between, '--workspace', samplesOnly]
      const { out } = await runHere(args)
      expect(out).toMatch(/events of other stages flip too: .*\d+ of persona/u)
      expect(out).toContain(`not compared: persona (1 of 2 sessions: ${why})`)
      expect((await runHere([...args, '--samples'])).out).not.toContain('not compared: persona')
      const { out: json } = await runHere([...args, '--json'])
      expect(lastOf(json)).toMatchObject({ uncompared: { persona: `1 of 2 sessions: ${why}` } })
    }
  })
})
