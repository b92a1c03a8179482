import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Input } from '../../../wire/rpc.ts'
import type { Host } from '../../entries/host.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  openIn,
  REPOSITORY,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

type Compared = Input<TurnscopeContract, 'session.compare'>['compare']
type Draft = Extract<Compared, { readonly kind: 'draft' }>

const FIXTURES = join(REPOSITORY, 'fixtures', 'lab')
const LAB_CONFIG = { ...CONFIG, domains: 'lab' }
const hosts: Host[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A workspace with the lab's domain file; a session of these events, opened. */
async function openSession(events: readonly object[] | null) {
  const root = makeFolder({})
  cpSync(join(FIXTURES, 'domains.yaml'), join(root, 'profiles', 'domains', 'lab.yaml'))
  for (const name of ['session.jsonl', 'session.labels.jsonl'])
    cpSync(join(FIXTURES, name), join(root, name))
  const path = join(root, events === null ? 'session.jsonl' : 'own.jsonl')
  if (events !== null) {
    const head = { type: 'session', schemaVersion: 1, id: 's', title: 'Own' }
    writeFileSync(path, [head, ...events].map((each) => `${JSON.stringify(each)}\n`).join(''))
  }
  const host = makeHostHere({ workspace: root })
  hosts.push(host)
  const client = windowOf(host)
  const { key } = await openIn(client, { kind: 'path', path })
  const address = { key, session: 0 }
  const compare = async (other: Compared, config = LAB_CONFIG) => {
    const input = { ...address, config, compare: other }
    const last = (await collect(client, 'session.compare', input)).at(-1)
    if (last?.kind !== 'compared') throw new Error('no comparison')
    return last.diff
  }
  const causes = async (other: Compared, config = LAB_CONFIG) => {
    const input = { ...address, config, compare: other }
    const last = (await collect(client, 'session.causes', input)).at(-1)
    if (last?.kind !== 'causes') throw new Error('no causes')
    return last
  }
  const replay = async (other: Compared) => {
    const input = { ...address, config: LAB_CONFIG, compare: other }
    const last = (await collect(client, 'session.replay', input)).at(-1)
    if (last?.kind !== 'replayed') throw new Error('no replay')
    return last
  }
  const find = async (query: string, other: Compared | null) => {
    const input = { ...address, query, config: LAB_CONFIG, compare: other }
    const { seqs, problem } = await client.call('session.find', input)
    return problem?.what ?? seqs
  }
  return { root, address, client, compare, causes, replay, find }
}

const draftOf = (domainsText: string | null, options = {}): Draft => ({
  kind: 'draft',
  draft: { config: LAB_CONFIG, domainsText, options },
})

const WORK = 'Refactor the parser function, fix the failing unit test and commit'

test('[L50] replay, counts and rows of a comparison with a draft are those of one pairing by event', async () => {
  const { address, client, compare, replay } = await openSession(null)
  const { text } = await client.call('draft.load', { config: LAB_CONFIG })
  const draft = draftOf(text.replace(String.raw`\bplan\b`, String.raw`\bplanx\b`))
  const replayed = await replay(draft)
  const diff = await compare(draft)
  expect(diff.total).toBe(1)
  expect(diff.flips.map(({ turn, seq }) => [turn, seq])).toEqual(
    replayed.flips.map(({ turn }) => [turn, replayed.columns.seq[turn]]),
  )
  const [flip] = replayed.flips
  if (!flip || !replayed.compare) throw new Error('one turn flips')
  expect(replayed.compare.seq[flip.other]).toBe(replayed.columns.seq[flip.turn])
  // The trace of the other side is asked by the same words.
  const trace = await client.call('session.trace', { ...address, turn: flip.other, config: draft })
  expect(trace.primary.domain).toBe(diff.flips[0]?.after.primary)
  expect(trace.seq).toBe(diff.flips[0]?.seq)
  const asked = { ...address, config: LAB_CONFIG, compare: draft, seqs: [trace.seq] }
  const { texts } = await client.call('session.flipTexts', asked)
  expect(texts[0]?.lost).toEqual(['planning/plan'])
  const [from, to] = texts[0]?.spans[0] ?? [0, 0]
  expect(texts[0]?.excerpt.slice(from, to).toLowerCase()).toBe('plan')
})

test('[L50] agent turns shift numbers: sides are paired by event, and one-sided turns are counted', async () => {
  const events = [
    { kind: 'user', text: WORK },
    { kind: 'agent', text: 'Looking at the plan first' },
    { kind: 'tool_call', text: '{}', name: 'ls', callId: 'a' },
    { kind: 'tool_result', text: 'parser.py', callId: 'a' },
    { kind: 'agent', text: 'Done.' },
    { kind: 'user', text: WORK },
  ]
  const { compare, replay } = await openSession(events)
  const field = { ...LAB_CONFIG, preset: 'field' }
  const replayed = await replay(field)
  expect(replayed.oneSided).toMatchObject({ base: 0 })
  expect(replayed.oneSided?.other).toBeGreaterThan(0)
  const diff = await compare(field)
  expect(diff.oneSided).toEqual(replayed.oneSided)
  expect(diff.total).toBe(replayed.flips.length)
  for (const { turn, other } of replayed.flips)
    expect(replayed.compare?.seq[other]).toBe(replayed.columns.seq[turn])
})

test('[L51] query types, self-signals and prompts are compared too', async () => {
  const signal =
    '<signal confidence="0.5" type="need_turn"><reason>one more file to read</reason></signal>'
  const { compare } = await openSession([
    { kind: 'user', text: 'understand the barcode' },
    { kind: 'agent', text: `I cannot go on.\n${signal}` },
    { kind: 'user', text: WORK },
  ])
  const diff = await compare({ ...LAB_CONFIG, preset: 'literal' })
  const stages = new Set(diff.stages.map(({ stage }) => stage))
  expect(stages).toContain('self-signal')
  expect(diff.stageTotals.map(({ stage }) => stage)).toEqual(['query', 'prompt', 'self-signal'])
  // Stages that were not compared give a reason.
  expect(diff.uncompared).toEqual([
    { stage: 'persona', why: 'not_probed' },
    { stage: 'verdict', why: 'same_rules' },
  ])
  const alike = await compare({ ...LAB_CONFIG, preset: 'field' })
  expect(alike.uncompared).toContainEqual({ stage: 'persona', why: 'same_probe' })
  for (const { stage, flips } of diff.stageTotals)
    expect(diff.stages.filter((flip) => flip.stage === stage)).toHaveLength(flips)
})

test('[L52] options are switched one at a time; those that cause all flips are named', async () => {
  const { compare, causes } = await openSession(null)
  const side = draftOf(null, { momentumThreshold: 1, decayAfterTurns: 50, maxResistedTurns: 1 })
  const { total, stages } = await compare(side)
  const found = await causes(side)
  expect(found.flips).toBe(total + stages.length)
  const names = found.causes.map(({ name }) => name)
  expect(names).toContain('belief.momentumThreshold')
  const needed = found.causes.filter((cause) => cause.needed)
  expect(needed.length).toBeGreaterThan(0)
  expect(needed.length).toBeLessThan(found.causes.length)
  expect(found.causes.find(({ name }) => name === 'belief.decayAfterTurns')).toMatchObject({
    alone: 0,
    needed: false,
  })
  const none = await causes(LAB_CONFIG)
  expect(none).toMatchObject({ causes: [], flips: 0 })
})

test('[I91] [L50] what ran is a side of a comparison', async () => {
  const { compare, replay, causes } = await openSession([
    { kind: 'user', text: WORK, _bst_domain: 'romance' },
    { kind: 'agent', text: 'What do you mean?', self_signal: { type: 'stuck' } },
    { kind: 'user', text: WORK },
  ])
  const diff = await compare({ kind: 'observed' })
  expect(diff).toMatchObject({ recorded: 1, total: 1, oneSided: { base: 1, other: 0 } })
  expect(diff.first).toEqual({ seq: 0, turn: 0, what: 'domains' })
  expect(diff.stages).toEqual([{ stage: 'self-signal', seq: 1, was: 'none', is: 'stuck' }])
  const replayed = await replay({ kind: 'observed' })
  expect(replayed.compare?.seq).toEqual([0])
  expect(replayed.flips).toHaveLength(1)
  await expect(causes({ kind: 'observed' })).rejects.toThrow('has no options')
})

test('[L52] the same over the corpus', async () => {
  const { address, client } = await openSession(null)
  const opened = await collect(client, 'lab.open', {
    keys: [address.key],
    folders: [],
    samples: false,
    config: LAB_CONFIG,
  })
  const ready = opened.findLast((step) => step.kind === 'ready')
  if (ready?.kind !== 'ready') throw new Error('the corpus did not open')
  const base = { kind: 'config', config: LAB_CONFIG } as const
  const side = {
    kind: 'draft',
    draft: { config: LAB_CONFIG, domainsText: null, options: { momentumThreshold: 1 } },
  } as const
  const asked = { corpus: ready.corpus, base, side }
  const last = (await collect(client, 'lab.causes', asked)).at(-1)
  const report = (await collect(client, 'lab.flips', asked)).at(-1)
  if (last?.kind !== 'causes' || report?.kind !== 'flips') throw new Error('no answer')
  expect(last.flips).toBe(report.report?.total)
  expect(last.causes).toMatchObject([{ name: 'belief.momentumThreshold', needed: last.flips > 0 }])
  expect(report.report?.cells.reduce((sum, { count }) => sum + count, 0)).toBe(
    report.report?.primaries,
  )
  const [flip] = report.report?.flips ?? []
  if (!flip) return
  const { texts } = await client.call('lab.flipTexts', { ...asked, places: [flip] })
  expect(texts[0]?.excerpt).not.toBe('')
})

test('[L51] personas are compared where the probe is asked, and not otherwise', async () => {
  const { address, client, compare } = await openSession([
    { kind: 'user', text: WORK },
    { kind: 'agent', text: 'Done.' },
    { kind: 'user', text: 'go on' },
  ])
  const literal = { ...LAB_CONFIG, preset: 'literal' }
  const plain = await compare(literal)
  expect(plain.stageTotals.map(({ stage }) => stage)).not.toContain('persona')
  const input = { ...address, config: LAB_CONFIG, compare: literal, probe: true }
  const last = (await collect(client, 'session.compare', input)).at(-1)
  if (last?.kind !== 'compared') throw new Error('no comparison')
  const personas = last.diff.stageTotals.find(({ stage }) => stage === 'persona')
  expect(personas?.compared).toBe(2)
})

test('[F77] find asks the flips of every stage, as the comparison counts them', async () => {
  const signal =
    '<signal confidence="0.5" type="need_turn"><reason>one more file to read</reason></signal>'
  const { compare, find } = await openSession([
    { kind: 'user', text: 'understand the barcode' },
    { kind: 'agent', text: `I cannot go on.\n${signal}` },
    { kind: 'user', text: WORK },
  ])
  const literal = { ...LAB_CONFIG, preset: 'literal' }
  const { stages } = await compare(literal)
  const seqsOf = (stage: string) =>
    stages.filter((each) => each.stage === stage).map(({ seq }) => seq)
  for (const [word, stage] of [
    ['query', 'query'],
    ['self', 'self-signal'],
    ['prompt', 'prompt'],
  ] as const)
    expect(await find(`flip:${word}`, literal), word).toEqual(seqsOf(stage))
  expect(await find('flip:self', literal)).toEqual([1])
  expect(await find('flip:persona', literal)).toEqual([])
  expect(await find('flip:verdict', literal)).toContain('the same rules of the coach')
  expect(await find('flip:self', { kind: 'observed' })).toContain('flip:self-signal')
  expect(await find('flip:query', null)).toContain('asks a comparison')
})

test('[T84] a revision with other rules of the coach judges otherwise; nothing else does', async () => {
  const { root, client, compare, causes, find } = await openSession([
    { kind: 'user', text: WORK },
    { kind: 'agent', text: 'I have fixed the parser; all 12 tests pass.' },
  ])
  const rules = join(root, 'prompts/coach/rules.yaml')
  mkdirSync(dirname(rules), { recursive: true })
  const text = readFileSync(join(REPOSITORY, 'prompts/coach/rules.yaml'), 'utf8')
  writeFileSync(rules, text)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], {
      cwd: root,
      stdio: 'ignore',
    })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  const { digest } = await client.call('trust.state', {})
  await client.call('trust.grant', { digest })
  const revision = { kind: 'revision', config: LAB_CONFIG, revision: 'HEAD' } as const
  expect((await compare(revision)).uncompared).toContainEqual({
    stage: 'verdict',
    why: 'same_rules',
  })
  // Now what claims that work is done counts as a blocker.
  writeFileSync(rules, text.replaceAll('kind: claim', 'kind: blocker'))
  const diff = await compare(revision)
  expect(diff.stageTotals).toContainEqual({ stage: 'verdict', compared: 1, flips: 1 })
  expect(diff.stages).toContainEqual(expect.objectContaining({ stage: 'verdict', seq: 1 }))
  expect(await find('flip:verdict', revision)).toEqual([1])
  const { others } = await causes(revision)
  expect(others).toMatchObject([{ group: 'verdict', flips: 1, causes: [{ needed: true }] }])
})

test('[T83] options of the probe and of bundles have causes of their own, or say why there are none', async () => {
  const host = makeHostHere()
  hosts.push(host)
  const client = windowOf(host)
  const literal = { ...CONFIG, preset: 'literal' }
  const groupsOf = async (id: string) => {
    const { key } = await openIn(client, { kind: 'sample', id })
    const input = { key, session: 0, config: CONFIG, compare: literal }
    const last = (await collect(client, 'session.causes', input)).at(-1)
    if (last?.kind !== 'causes') throw new Error('no causes')
    expect(last.causes.every(({ name }) => !/^(?:probe|bundle)\./u.test(name))).toBe(true)
    return new Map(last.others.map((each) => [each.group, each]))
  }
  const steps = await groupsOf('pipeline-run')
  expect(steps.get('probe')).toMatchObject({ flips: null, why: 'not_probed' })
  const bundles = steps.get('bundle')
  // Another estimator, another report: of every step that can be built.
  expect(bundles).toMatchObject({
    flips: 9,
    why: null,
    causes: [{ name: 'bundle.estimator', from: 'larger', to: 'words13', alone: 9, needed: true }],
  })
  const plain = await groupsOf('st-003')
  expect(plain.get('bundle')).toMatchObject({ flips: null, why: 'no_steps' })
  expect(plain.get('bundle')?.causes).toMatchObject([{ alone: null, needed: false }])
})
