import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { type Client, connect } from '../../../wire/rpc.ts'
import type { Host } from '../../entries/host.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  openIn,
  replayIn,
  REPOSITORY,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const FIXTURES = join(REPOSITORY, 'fixtures', 'lab')
const LAB_CONFIG = { ...CONFIG, domains: 'lab' }
/** A profile that ships; it changes which domains count. */
const PROFILE = 'granite-3.3-8b'
const hosts: Host[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A workspace with the fixtures, a host over it, and one window. */
function openLab() {
  const root = makeFolder({})
  cpSync(join(FIXTURES, 'domains.yaml'), join(root, 'profiles', 'domains', 'lab.yaml'))
  for (const name of ['session.jsonl', 'session.labels.jsonl']) {
    cpSync(join(FIXTURES, name), join(root, name))
  }
  const host = makeHostHere({ workspace: root })
  hosts.push(host)
  const { left, right } = portPair()
  host.mount(right)
  return { root, client: connect<TurnscopeContract>(left) }
}

async function openCorpus(client: Client<TurnscopeContract>, root: string, folders: string[] = []) {
  const { key } = await openIn(client, { kind: 'path', path: join(root, 'session.jsonl') })
  const steps = await collect(client, 'lab.open', {
    keys: [key],
    folders,
    samples: false,
    config: LAB_CONFIG,
  })
  const ready = steps.findLast((step) => step.kind === 'ready')
  if (ready?.kind !== 'ready') throw new Error('the corpus did not open')
  return { key, ready }
}

const base = { kind: 'config', config: LAB_CONFIG } as const
const draftOf = (domainsText: string | null, options = {}) =>
  ({ kind: 'draft', draft: { config: LAB_CONFIG, domainsText, options } }) as const

async function flipsOf(
  client: Client<TurnscopeContract>,
  corpus: string,
  side: ReturnType<typeof draftOf>,
) {
  const last = (await collect(client, 'lab.flips', { corpus, base, side })).at(-1)
  if (last?.kind !== 'flips') throw new Error('no flips')
  return last
}

test('[T40] a corpus has each file once, its labels by number or hash, and metrics of them', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root, [root])
  expect(
    ready.sessions.map(({ path, key: own, turns, labels }) => [path, own, turns, labels]),
  ).toEqual([[join(root, 'session.jsonl'), key, 6, 4]])
  expect(ready.lost).toEqual([])
  expect(ready.metrics?.strict).toEqual({ hits: 4, of: 4, value: 1 })
})

test('[T44] a draft flips turns, directly or by momentum, and the labels say what got worse', async () => {
  const { root, client } = openLab()
  const { ready } = await openCorpus(client, root)
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const changed = text
    .replace("'\\bfix(?:es|ed)?\\b'", "'\\brepair\\b'")
    .replace('\\bcommit\\b', '\\bpush\\b')
  const { report, problems } = await flipsOf(client, ready.corpus, draftOf(changed))
  expect(problems).toEqual([])
  expect(report).toMatchObject({ turns: 6, fixed: 0, broken: 1, scanned: 2 })
  expect(report?.flips.find((flip) => flip.verdict === 'broken')).toMatchObject({
    seq: 6,
    before: { primary: 'git_ops' },
    lost: ['git_ops/1'],
  })
  expect(report?.after?.strict).toEqual({ hits: 3, of: 4, value: 0.75 })
  const none = await flipsOf(client, ready.corpus, draftOf(text))
  expect(none.report?.total).toBe(0)
})

test('a replay says the key of what was compiled: another one once a file was saved', async () => {
  const { root, client } = openLab()
  const { key } = await openIn(client, { kind: 'path', path: join(root, 'session.jsonl') })
  const before = await replayIn(client, key, LAB_CONFIG)
  expect(before.compareKey).toBeNull()
  const answers = await client.call('session.answers', { key, session: 0, config: LAB_CONFIG })
  expect(answers.key).toBe(before.key)
  expect((await replayIn(client, key, LAB_CONFIG)).key).toBe(before.key)
  const { text, fingerprint } = await client.call('draft.load', { config: LAB_CONFIG })
  const changed = text.replace('\\bcommit\\b', '\\bpush\\b')
  await client.call('draft.save', { config: LAB_CONFIG, text: changed, fingerprint })
  const after = await replayIn(client, key, LAB_CONFIG, CONFIG)
  expect(after.key).not.toBe(before.key)
  expect(after.compareKey).toBe((await replayIn(client, key)).key)
  const again = await client.call('session.answers', { key, session: 0, config: LAB_CONFIG })
  expect(again.key).toBe(after.key)
})

test('[T42] a draft that cannot be read has its problems at their places', async () => {
  const { root, client } = openLab()
  const { ready } = await openCorpus(client, root)
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const broken = await flipsOf(
    client,
    ready.corpus,
    draftOf(text.replace('\\bplan\\b', '\\bplan(')),
  )
  expect(broken.report).toBeNull()
  expect(broken.problems).toMatchObject([
    { rule: 'pattern', severity: 'error', domain: 'planning', signal: 0, line: 20 },
  ])
  const line = text.split('\n')[19] ?? ''
  expect(line).toContain('plan')
  // Advice covers only the typed text; lint covers the rest.
  const warned = text.replace('\\bplan\\b', '\\b\\.env\\b')
  const { report, problems } = await flipsOf(client, ready.corpus, draftOf(warned))
  expect(report).not.toBeNull()
  expect(problems.map(({ severity, line }) => [severity, line])).toEqual([['warning', 20]])
  const options = await flipsOf(client, ready.corpus, draftOf(null, { momentumThreshold: 1 }))
  expect(options.report?.turns).toBe(6)
})

test('[T40] the table of signals counts the corpus and the chosen session', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root)
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const side = draftOf(text.replace('\\broadmap\\b', '\\brelease\\b'))
  const { rows } = await client.call('lab.signals', {
    corpus: ready.corpus,
    side,
    key,
    inFile: 0,
  })
  expect(
    rows.map(({ domain, id, corpus, session, own, line, change }) => [
      domain,
      id,
      corpus,
      session,
      own,
      line,
      change,
    ]),
  ).toEqual([
    ['bugfix', 'crash', 3, 3, 3, 10, 'same'],
    ['bugfix', 'traceback', 1, 1, 1, 13, 'same'],
    ['bugfix', null, 1, 1, 1, 15, 'same'],
    ['planning', 'plan', 1, 1, 1, 20, 'same'],
    ['planning', 'roadmap', 1, 1, 1, 22, 'changed'],
    ['git_ops', null, 1, 1, 1, 25, 'same'],
    ['git_ops', null, 0, 0, 0, 25, 'same'],
  ])
  const crash = rows[0]
  expect(crash?.precision).toEqual({ hits: 2, of: 2, value: 1 })
})

test('[U110] the signals of a draft are listed without a corpus, with what it changed', async () => {
  const { root, client } = openLab()
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const side = draftOf(text.replace('\\broadmap\\b', '\\brelease\\b'))
  const { rows: listed } = await client.call('draft.signals', { side })
  expect(listed[4]).toMatchObject({ id: 'roadmap', line: 22, change: 'changed' })
  expect(Object.keys(listed[4] ?? {})).not.toContain('corpus')
  const { key, ready } = await openCorpus(client, root)
  const asked = { corpus: ready.corpus, side, key, inFile: 0 }
  const { rows } = await client.call('lab.signals', asked)
  expect(rows).toMatchObject(listed)
  const broken = draftOf(text.replace('\\bplan\\b', '\\bplan('))
  await expect(client.call('draft.signals', { side: broken })).rejects.toMatchObject({
    code: 'REFUSED',
  })
})

test('[U184] what a draft reaches is told without a corpus: witnesses, proofs, and progress before', async () => {
  const { client } = openLab()
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const side = draftOf(
    text.replace('  - name: planning\n', '  - name: planning\n    minSignals: 3\n'),
  )
  const steps = await collect(client, 'draft.reach', { side })
  expect(steps.some(({ kind }) => kind === 'progress')).toBe(true)
  const last = steps.at(-1)
  if (last?.kind !== 'reach') throw new Error('no answer')
  const find = (kind: string, name: string) =>
    last.all.find((one) => one.kind === kind && one.name === name)
  expect(find('domain', 'planning')).toMatchObject({
    status: 'never',
    why: 'it needs 3 signals to be primary and has 2 that can match',
  })
  expect(find('domain', 'bugfix')?.status).toBe('reached')
  // A message that a user can type, even if nothing has to match.
  expect(find('rule', 'M1')?.witness).toEqual(['ok', 'ok'])
  expect(find('tie-break', 'order')).toMatchObject({ status: 'never', off: true })
  const broken = draftOf(text.replace('\\bplan\\b', '\\bplan('))
  await expect(collect(client, 'draft.reach', { side: broken })).rejects.toMatchObject({
    code: 'REFUSED',
  })
})

test('[T3] labels are written beside the session and the corpus hears of them', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root)
  const before = await client.call('labels.get', { key, session: 0 })
  expect(before.labels.map(({ seq }) => seq)).toEqual([0, 3, 5, 6])
  expect(before.outcome).toMatchObject({ pass: true, score: 0.5 })
  const label = { primary: 'conversation', forbidden: ['git_ops'] }
  const { file } = await client.call('labels.set', { key, session: 0, seq: 2, label })
  expect(file).toBe(join(root, 'session.labels.jsonl'))
  await client.call('labels.set', { key, session: 0, seq: 5, label: null })
  const lines = readFileSync(file, 'utf8').split('\n')
  expect(lines[0]).toBe('# Labels of session.jsonl')
  expect(lines).toHaveLength(7)
  const after = await flipsOf(client, ready.corpus, draftOf(null))
  expect(after.report?.before?.labelled).toBe(4)
  const { lines: texts } = await client.call('labels.export', { corpus: ready.corpus })
  expect(texts.map(({ text }) => text)).toContain('ok, thanks')
})

test('[T3] a label does not make the lab read its corpus again: its files may be gone by then', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root)
  const side = draftOf(null)
  const before = await flipsOf(client, ready.corpus, side)
  expect(before.report?.before?.labelled).toBe(ready.metrics?.labelled)
  // Reading the session again would fail, because its file is gone.
  renameSync(join(root, 'session.jsonl'), join(root, 'moved.jsonl.away'))
  await client.call('labels.set', { key, session: 0, seq: 2, label: { primary: 'planning' } })
  const after = await flipsOf(client, ready.corpus, side)
  expect(after.report?.turns).toBe(before.report?.turns)
  expect(after.report?.before?.labelled).toBe((ready.metrics?.labelled ?? 0) + 1)
})

test('[T2] text labels of a file are sessions of one turn each, on which no momentum weighs', async () => {
  const { root, client } = openLab()
  const texts = ['the crash', 'crash and traceback', 'crash and traceback again', 'commit it']
  const lines = texts.map((text) => JSON.stringify({ text, primary: 'bugfix' }))
  mkdirSync(join(root, 'labels'))
  writeFileSync(join(root, 'labels', 'cases.jsonl'), `${lines.join('\n')}\n`)
  const { ready } = await openCorpus(client, root)
  const cases = ready.sessions.filter(({ path }) => path?.endsWith('cases.jsonl'))
  expect(cases.map(({ turns, labels }) => [turns, labels])).toEqual(texts.map(() => [1, 1]))
  const places = ready.sessions.flatMap(({ path }, session) =>
    path?.endsWith('cases.jsonl') ? [{ session, turn: 0 }] : [],
  )
  const { turns } = await client.call('lab.turns', { corpus: ready.corpus, side: base, places })
  // One session of these four would have held `bugfix` on the last.
  expect(turns.map(({ primary }) => primary)).toEqual(['bugfix', 'bugfix', 'bugfix', 'git_ops'])
})

test('[T4] a new outcome replaces the one before, and a session has one', async () => {
  const { root, client } = openLab()
  const { key } = await openCorpus(client, root)
  const place = { key, session: 0 }
  const { file } = await client.call('labels.outcome', { ...place, outcome: outcomeOf(false) })
  await client.call('labels.outcome', { ...place, outcome: outcomeOf(true) })
  const written = readFileSync(file, 'utf8').match(/.*"type":"outcome".*/gu)
  expect(written).toEqual(['{"type":"outcome","pass":true}'])
  expect((await client.call('labels.get', place)).outcome).toMatchObject({ pass: true })
  await client.call('labels.outcome', { ...place, outcome: null })
  expect((await client.call('labels.get', place)).outcome).toBeNull()
  expect(readFileSync(file, 'utf8').match(/"type":"turn"/gu)).toHaveLength(4)
})

const outcomeOf = (pass: boolean) => ({ type: 'outcome', pass }) as const

test('[T41] both sides see the turns of the configuration that opened the corpus', async () => {
  const { root, client } = openLab()
  const preset = readFileSync(join(REPOSITORY, 'profiles/presets/recommended.yaml'), 'utf8')
  const wider = preset
    .replace('name: recommended', 'name: wider')
    .replace('user: true', 'user: false')
  mkdirSync(join(root, 'profiles', 'presets'), { recursive: true })
  writeFileSync(join(root, 'profiles', 'presets', 'wider.yaml'), wider)
  const { ready } = await openCorpus(client, root)
  const side = { kind: 'config', config: { ...LAB_CONFIG, preset: 'wider' } } as const
  const asked = { corpus: ready.corpus, base, side }
  const last = (await collect(client, 'lab.flips', asked)).at(-1)
  expect(last?.kind === 'flips' && last.report).toMatchObject({ turns: 6, total: 0 })
  const other = { keys: [], folders: [root], samples: false, config: side.config }
  const opened = (await collect(client, 'lab.open', other)).at(-1)
  expect(opened?.kind === 'ready' && opened.sessions.map(({ turns }) => turns)).not.toContain(6)
})

test('[T40] every question of the lab has an answer', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root)
  const { corpus } = ready
  const side = base
  const found = await client.call('lab.matches', {
    corpus,
    side,
    pattern: '\\bthe\\b',
    dialect: 'python',
    flags: null,
    most: 10,
  })
  expect(found).toMatchObject({ total: 4, problem: null, cutOff: 0 })
  expect(
    found.turns[0]?.spans.map(([from, to]) => found.turns[0]?.excerpt.slice(from, to)),
  ).toEqual(['The', 'the'])
  const marks = await client.call('lab.marks', {
    key,
    session: 0,
    from: 0,
    to: 9,
    draft: draftOf(null).draft,
  })
  expect(marks.rows[0]?.marks.map(({ domain }) => domain)).toEqual(['bugfix', 'bugfix'])
  const matrix = await client.call('lab.matrix', { corpus, side, by: 'domains', domain: null })
  expect(matrix.names).toContain('bugfix')
  const cell = await client.call('lab.cell', {
    corpus,
    side,
    cell: { kind: 'uncovered' },
    most: 10,
  })
  expect(cell.turns.map(({ excerpt }) => excerpt)).toEqual(['ok, thanks'])
  const coverage = await client.call('lab.coverage', { corpus, side })
  expect(coverage).toMatchObject({ turns: 6, uncovered: 1 })
  const ablation = (await collect(client, 'lab.ablation', { corpus, side })).at(-1)
  expect(ablation?.kind === 'ablation' && ablation.rows).toHaveLength(7)
  const what = { corpus, side, option: 'momentumThreshold' as const, values: [1, 2, 3] }
  const whatIf = (await collect(client, 'lab.whatIf', what)).at(-1)
  expect(whatIf?.kind === 'whatIf' && whatIf.points).toHaveLength(3)
  const suggest = (await collect(client, 'lab.suggest', { corpus, side, domain: null })).at(-1)
  expect(suggest?.kind).toBe('suggest')
  const lint = (await collect(client, 'lab.lint', { corpus, side })).at(-1)
  expect(lint?.kind === 'lint' && lint.findings.map(({ rule }) => rule)).toContain('unknown-domain')
  const explained = await client.call('lab.explain', {
    corpus,
    side,
    session: 0,
    turn: 1,
    domain: 'planning',
  })
  expect(explained.counterfactuals).toHaveLength(1)
  const places = [{ session: 0, turn: 5 }]
  const turns = await client.call('lab.turns', { corpus, side, places })
  expect(turns.turns[0]).toMatchObject({
    seq: 6,
    primary: 'git_ops',
    label: { primary: 'git_ops' },
  })
})

test('[U220] an answer of the lab names the configuration that it was computed for', async () => {
  const { root, client } = openLab()
  const { key, ready } = await openCorpus(client, root)
  const { corpus } = ready
  const asks = { key, inFile: 0, corpus }
  const keysFor = async (config: typeof LAB_CONFIG) => {
    const side = { kind: 'config', config } as const
    const flips = (await collect(client, 'lab.flips', { corpus, base: side, side })).at(-1)
    const signals = await client.call('lab.signals', { ...asks, side })
    return [flips?.kind === 'flips' && flips.configKey, signals.configKey]
  }
  // The key of the session's own replay: the window compares the two.
  const replayed = await replayIn(client, key, LAB_CONFIG)
  expect(ready.configKey).toBe(replayed.key)
  expect(await keysFor(LAB_CONFIG)).toEqual([replayed.key, replayed.key])

  const others = [CONFIG, { ...LAB_CONFIG, preset: 'literal' }, { ...LAB_CONFIG, profile: PROFILE }]
  for (const config of others) {
    const other = await replayIn(client, key, config)
    expect(other.key).not.toBe(replayed.key)
    expect(await keysFor(config)).toEqual([other.key, other.key])
  }

  const { text, fingerprint } = await client.call('draft.load', { config: LAB_CONFIG })
  // A draft is no saved file: the key is that of the file below it.
  const draft = draftOf(text.replace('\\bcommit\\b', '\\bpush\\b'))
  expect((await client.call('lab.signals', { ...asks, side: draft })).configKey).toBe(replayed.key)
  const { domainsText } = draft.draft
  await client.call('draft.save', { config: LAB_CONFIG, text: domainsText ?? '', fingerprint })
  const saved = await replayIn(client, key, LAB_CONFIG)
  expect(saved.key).not.toBe(replayed.key)
  expect(await keysFor(LAB_CONFIG)).toEqual([saved.key, saved.key])
})

test('[U220] matches of a pattern are decided by the side asked about, not by the one the corpus was opened with', async () => {
  const { root, client } = openLab()
  const { ready } = await openCorpus(client, root)
  const pattern = { pattern: '.', dialect: 'python', flags: null, most: 10 } as const
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const edited = draftOf(text.replace('\\bcommit\\b', '\\bpush\\b'))
  const decided = async (side: typeof base | typeof edited) => {
    const { turns } = await client.call('lab.matches', { corpus: ready.corpus, side, ...pattern })
    const places = turns.map(({ session, turn }) => ({ session, turn }))
    const said = await client.call('lab.turns', { corpus: ready.corpus, side, places })
    expect(turns.map(({ primary }) => primary)).toEqual(said.turns.map(({ primary }) => primary))
    return turns.map(({ primary }) => primary)
  }
  expect(await decided(edited)).not.toEqual(await decided(base))
})
