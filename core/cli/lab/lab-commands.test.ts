import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { collect, CONFIG, openIn, REPOSITORY, windowOf } from '../../../fixtures/host.ts'
import { makeHostHere } from '../../../fixtures/host-here.ts'
import { makeLab, runIn, sarifOf } from '../../../fixtures/lab-folder.ts'
import { sarifFaults } from '../../../fixtures/sarif-schema.ts'

test('[T47] check is 0 where labelled turns are right, 1 where one is wrong, 2 where input is missing', async () => {
  const root = makeLab()
  const [good, bad, lost] = await Promise.all([
    runIn(root, 'check', 'session.jsonl', '--labels', 'cases.jsonl', '--domains', 'domains.yaml'),
    runIn(
      root,
      'check',
      'session.jsonl',
      '--domains',
      'worse.yaml',
      '--min-strict',
      '0.9',
      '--junit',
      'junit.xml',
      '--sarif',
      'found.sarif',
      '--base',
      'domains.yaml',
      '--max-flips',
      '0',
    ),
    runIn(
      root,
      'check',
      '--labels',
      'session.labels.jsonl',
      '--domains',
      'domains.yaml',
      '--junit',
      'lost.xml',
    ),
  ])
  expect(good).toMatchObject({ code: 0, err: '' })
  expect(good.out).toContain('strict             7 of 7 (1.000, 0.646 to 1.000)')
  // [L100] The basis of the figures.
  expect(good.out).toContain('measured on 7 labelled turns of 2 sources, 2 folds of whole sources')
  expect(good.out).toContain('reader agreement unknown: no turn has labels of two readers')
  expect(bad.code).toBe(1)
  expect(bad.out).toContain(
    'worse.yaml:23: wrong-primary: lab-1, turn 6 (event 7): expected git_ops, got conversation (no signal of git_ops fired)',
  )
  expect(bad.out).toContain('minimum missed: strict is')
  expect(bad.out).toMatch(/\d of 6 turns flip, at most 0 may/u)
  // Errors are no failures: the labels speak of a session that was not given.
  expect(lost.code).toBe(2)
  const xml = readFileSync(join(root, 'lost.xml'), 'utf8')
  expect(xml).toContain('failures="0" errors="6"')
  expect(xml).toContain('<error message=')
})

test('[T48] SARIF names the line of the signal that decided wrongly, with a stable fingerprint', async () => {
  const root = makeLab()
  const args = ['check', 'session.jsonl', '--domains', 'worse.yaml', '--sarif']
  await runIn(root, ...args, 'a.sarif')
  const text = readFileSync(join(root, 'worse.yaml'), 'utf8')
  writeFileSync(join(root, 'worse.yaml'), `# one line more\n${text}`)
  await runIn(root, ...args, 'b.sarif')
  const a = sarifOf(join(root, 'a.sarif')).runs[0]!
  const b = sarifOf(join(root, 'b.sarif')).runs[0]!
  expect(sarifOf(join(root, 'a.sarif')).version).toBe('2.1.0')
  expect(sarifFaults(readFileSync(join(root, 'a.sarif'), 'utf8'))).toEqual([])
  for (const { help } of a.tool.driver.rules)
    expect(help.text).not.toContain('The message of the finding')
  expect(a.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }])
  expect(a.results.length).toBeGreaterThan(0)
  for (const [index, result] of a.results.entries()) {
    expect(a.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId)
    const { artifactLocation, region } = result.locations[0]!.physicalLocation
    expect(artifactLocation.uri).toBe('worse.yaml')
    const other = b.results[index]!
    expect(other.locations[0]!.physicalLocation.region?.startLine).toBe(region!.startLine + 1)
    expect(other.partialFingerprints).toEqual(result.partialFingerprints)
    const line = text.split('\n')[region!.startLine - 1]
    expect(line?.slice(region!.startColumn - 1)).toMatch(/^'\\brelease|^git_ops|^conversation/u)
  }
})

test('[T44] terminal and window say the same numbers', async () => {
  const root = makeLab()
  const host = makeHostHere({ workspace: root })
  const client = windowOf(host)
  const config = { ...CONFIG, domains: 'lab' }
  const { key } = await openIn(client, { kind: 'path', path: join(root, 'session.jsonl') })
  const opened = { keys: [key], folders: [], samples: false, config }
  const ready = (await collect(client, 'lab.open', opened)).at(-1)
  if (ready?.kind !== 'ready') throw new Error('the corpus did not open')
  const base = { kind: 'config', config } as const
  const domainsText = readFileSync(join(root, 'worse.yaml'), 'utf8')
  const side = { kind: 'draft', draft: { config, domainsText, options: {} } } as const
  const asked = { corpus: ready.corpus, base, side }
  const flips = (await collect(client, 'lab.flips', asked)).at(-1)
  await host.close()
  const files = ['--domains', 'domains.yaml', '--json'] as const
  const [check, diff, stats] = await Promise.all([
    runIn(root, 'check', 'session.jsonl', ...files),
    runIn(
      root,
      'diff',
      '--base',
      'domains.yaml',
      '--head',
      'worse.yaml',
      'session.jsonl',
      ...files,
    ),
    runIn(root, 'stats', 'session.jsonl', ...files),
  ])
  const lines = diff.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(diff.code).toBe(1)
  expect((JSON.parse(check.out) as { metrics: object }).metrics).toEqual(ready.metrics)
  expect((JSON.parse(stats.out) as { metrics: object }).metrics).toEqual(ready.metrics)
  if (flips?.kind !== 'flips' || flips.report === null) throw new Error('no flips')
  const { total, direct, momentum, fixed, broken, before, after } = flips.report
  expect(total).toBeGreaterThan(0)
  expect(lines.at(-1)).toMatchObject({ total, direct, momentum, fixed, broken, before, after })
  // [B17] Both count turns from 1 in output for the operator.
  const shown = flips.report.flips.map((flip) => ({
    ...flip,
    turn: flip.turn + 1,
    since: flip.since + 1,
  }))
  const turns = lines.filter((line) => 'type' in line && line.type === 'flip')
  expect(turns).toMatchObject(shown)
})

test('[T43] a domain file of JSON is known by its members, in whatever order, also in one line', async () => {
  const root = makeLab()
  const { domains } = parse(readFileSync(join(root, 'worse.yaml'), 'utf8')) as { domains: object }
  writeFileSync(join(root, 'worse.json'), JSON.stringify({ name: 'worse', domains }))
  writeFileSync(join(root, 'other.json'), JSON.stringify({ name: 'x', text: '\ndomains: []' }))
  const against = (head: string) =>
    runIn(root, 'diff', '--base', 'domains.yaml', '--head', head, 'session.jsonl', '--json')
  expect((await against('worse.json')).out).toBe((await against('worse.yaml')).out)
  expect((await against('other.json')).err).toContain('neither a domain file nor a preset')
})

test('[T43] diff takes files, presets, revisions; a name that means two things is not guessed at', async () => {
  const root = makeLab()
  cpSync(join(REPOSITORY, 'profiles/presets/literal.yaml'), join(root, 'profiles/presets/lab.yaml'))
  const common = ['session.jsonl', '--workspace', root, '--domains', 'lab']
  const [same, ambiguous, named, unknown] = await Promise.all([
    runIn(root, 'diff', '--base', 'domains.yaml', '--head', 'domains:lab', ...common),
    runIn(root, 'diff', '--base', 'lab', '--head', 'worse.yaml', ...common),
    runIn(root, 'diff', '--base', 'preset:lab', '--head', 'preset:recommended', ...common),
    runIn(root, 'diff', '--base', 'rev:HEAD', '--head', 'worse.yaml', ...common),
  ])
  expect(same).toMatchObject({ code: 0, err: '' })
  expect(same.out).toContain('0 of 6 turns flip')
  expect(ambiguous.code).toBe(2)
  expect(ambiguous.err).toContain('Write preset:lab or domains:lab')
  expect(named.out).toContain('of 6 turns flip')
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('not in a git repository')
})

test('[B17] [B19] check: minimums decide where they are given, and wrong turns are listed', async () => {
  const root = makeLab()
  const common = ['session.jsonl', '--domains', 'worse.yaml']
  const [green, red, json] = await Promise.all([
    runIn(root, 'check', ...common, '--min-strict', '0.1', '--junit', 'green.xml'),
    runIn(root, 'check', ...common, '--min-strict', '0.99'),
    runIn(root, 'check', ...common, '--json'),
  ])
  expect(green.code).toBe(0)
  expect(green.out).toContain('wrong-primary: lab-1, turn 6 (event 7)')
  expect(readFileSync(join(root, 'green.xml'), 'utf8')).toContain('failures="0"')
  expect(red.code).toBe(1)
  const { checked } = JSON.parse(json.out) as {
    checked: ReadonlyArray<{ turn: number; seq: number; wrong: string | null }>
  }
  expect(json.code).toBe(1)
  // [B17] The number that `explain` takes, and that the text says.
  expect(checked.find(({ wrong }) => wrong !== null)).toMatchObject({ turn: 6, seq: 6 })
})

test('[L38] diff says that a side has turns of its own, which are not compared', async () => {
  const root = makeLab()
  const common = ['session.jsonl', '--domains', 'domains.yaml']
  const [base, head, alike] = await Promise.all([
    runIn(root, 'diff', '--base', 'preset:field', '--head', 'preset:recommended', ...common),
    runIn(root, 'diff', '--base', 'preset:recommended', '--head', 'preset:field', ...common),
    runIn(root, 'diff', '--base', 'preset:literal', '--head', 'preset:recommended', ...common),
  ])
  expect(base.err).toContain('--base classifies other kinds of events')
  expect(head.err).toContain('--base classifies other kinds of events')
  expect(alike.err).not.toContain('classifies other kinds')
})

test('[L51] diff says where other stages differ, as text and as JSON', async () => {
  const root = makeLab()
  const signal = '<signal confidence="0.5" type="need_turn"><reason>one more file</reason></signal>'
  const events = [
    { type: 'session', schemaVersion: 1, id: 's', title: 'Stages' },
    { kind: 'user', text: 'go on' },
    { kind: 'agent', text: `Reading.\n${signal}` },
  ]
  writeFileSync(
    join(root, 'stages.jsonl'),
    events.map((one) => `${JSON.stringify(one)}\n`).join(''),
  )
  const sides = [
    '--base',
    'preset:recommended',
    '--head',
    'preset:literal',
    '--domains',
    'domains.yaml',
  ]
  const [shown, json] = await Promise.all([
    runIn(root, 'diff', ...sides, 'stages.jsonl'),
    runIn(root, 'diff', ...sides, '--json', 'stages.jsonl'),
  ])
  expect(shown.code).toBe(1)
  expect(shown.out).toContain('event 2  self-signal: need_turn 0.5 → none')
  expect(shown.out).toContain('1 of self-signal')
  const lines = json.out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'stage', stage: 'self-signal', seq: 1 }),
  )
  expect(lines.at(-1)).toMatchObject({ type: 'summary', stages: { 'self-signal': 1 } })
})
