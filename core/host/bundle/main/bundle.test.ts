import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { type Input, connect } from '../../../wire/rpc.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import { makeFolder, openIn, replayIn, REPOSITORY } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

type Choice = Input<TurnscopeContract, 'bundle.session'>['choice']
const CHOICE: Choice = { preset: 'recommended', estimator: null, budgets: {}, root: null }
const host = makeHostHere()
const pair = portPair()
host.mount(pair.right)
const client = connect<TurnscopeContract>(pair.left)
const { key } = await openIn(client, { kind: 'sample', id: 'pipeline-run' })
const session = { key, session: 0 }
const { steps, words } = await client.call('bundle.session', { ...session, choice: CHOICE })
const bar = (label: string) => steps.find((step) => step.label === label)!
const step = (label: string, choice: Choice = CHOICE) =>
  client.call('bundle.step', { ...session, seq: bar(label).seq, choice })

afterAll(async () => {
  await host.close()
})

describe('a session with pipeline steps', () => {
  test('[A17] every step event is a bar; what cannot be built says why', () => {
    expect(steps.map(({ label }) => label)).toEqual([
      '1',
      '2',
      '3',
      '3 (second run)',
      '4',
      '5',
      '5 (second run)',
      '6',
      'Chapter 13',
      '3 (third run)',
    ])
    expect(bar('3 (third run)').problem).toContain('step 3 is not Chapter 13')
    for (const each of steps.slice(0, -1)) {
      const { tier0, tier1, history, telemetry } = each.tiers
      const used = tier0 + tier1 + history + telemetry + each.framing
      expect(each.context).toBe(used + each.reserve + each.headroom)
      expect(each.measures.map(({ estimator }) => estimator)).toEqual([
        'words13',
        'chars4',
        'larger',
        'o200k_base',
      ])
    }
  })

  test('[A10] in words: what is cut, and what overflows only when it is really counted', () =>
    expect(words).toEqual([
      'tier 1 is cut at step 3 (second run)',
      'tier 1 really overflows at steps 3 (second run) and 5 (second run)',
    ]))

  test('[A2] budgets, estimator and preset of a choice build all steps again', async () => {
    const ask = async (choice: Partial<Choice>) =>
      (await client.call('bundle.session', { ...session, choice: { ...CHOICE, ...choice } })).steps
    const tight = await ask({ budgets: { ctx_max_tokens: 900, generation_reserve_tokens: 300 } })
    expect(
      tight.slice(0, -1).every(({ context, headroom }) => context === 900 && headroom >= 0),
    ).toBe(true)
    expect(tight.filter(({ cut }) => cut.length > 0).length).toBeGreaterThan(3)
    expect((await ask({ preset: 'literal' }))[0]!.estimator).toBe('words13')
    expect((await ask({ estimator: 'o200k_base' }))[3]!.measures.at(-1)!.over).toEqual([])
  })

  test('[A9] a step: bundle, parts, report, and the run before it', async () => {
    const built = await step('3 (second run)')
    expect(built).toMatchObject({ shortened: 0, recorded: null, promptChars: built.prompt.length })
    for (const { span } of built.parts) expect(span[1]).toBeGreaterThan(span[0])
    expect(built.parts.at(-1)!.span[1]).toBe(built.prompt.length)
    expect(built.report.tiers.map(({ state }) => state)).toEqual([
      'whole',
      'truncated',
      'whole',
      'whole',
    ])
    const { previous } = built
    expect(previous).toMatchObject({ seq: bar('3').seq, label: '3' })
    const side = (op: string) =>
      previous!.diff
        .filter((part) => part.op !== op)
        .map(({ text }) => text)
        .join('')
    expect(side('removed')).toBe(built.prompt)
    expect(side('added')).toBe((await step('3')).prompt)
    expect(previous!.provenance.map(({ path, change }) => [path, change])).toContainEqual([
      'state/scoring_checkpoint.json',
      'gone',
    ])
  })

  test('[A3] a step knows the history of its time, not what came later', async () => {
    const { bundle } = await step('3')
    expect(bundle.context.trend_summary[0]).toMatchObject({
      metric_name: 'completion_rate',
      recent_values: [1, 1, 1, 1, 1, 0.71, 1, 1, 1, 1],
    })
    expect(bundle.context.open_incidents.map((text) => text.slice(0, 20))).toEqual([
      '[warning] Clock of n',
      '[error] Scoring ende',
    ])
    const now = await client.call('bundle.build', {
      record: { step_id: 3, root: 'fixtures/pipeline-run' },
      choice: CHOICE,
    })
    expect(now.bundle.context.trend_summary[0]!.recent_values.at(-1)).toBe(0.2)
  })

  test('[A4] a recorded prompt is compared with the bundle', async () => {
    expect(bar('6').recordedSame).toBe(false)
    const { recorded } = await step('6')
    expect(recorded!.same).toBe(false)
    expect(
      recorded!.diff.some(({ op, text }) => op === 'removed' && text.includes('Results:')),
    ).toBe(true)
  })

  test('[A6] [L20] what was wrong with files is in the bundle', async () => {
    const codes = async (label: string) =>
      (await step(label)).bundle.diagnostics.map(({ code }) => code)
    expect(await codes('4')).toContain('manifest_invalid')
    expect(await codes('6')).toContain('state_missing')
    expect(await codes('3')).toContain('results_empty')
  })

  test('the other lanes work on it too', async () => {
    const { columns } = await replayIn(client, key)
    expect(columns.turns).toBe(6)
  })
})

describe('a bundle by hand', () => {
  const build = (record: Input<TurnscopeContract, 'bundle.build'>['record'], choice = CHOICE) =>
    client.call('bundle.build', { record, choice })

  test('[A6] files are those of the record, of a named folder, or of the workspace', async () => {
    const root = makeFolder({ 'm.json': '{"agent_name": "mine"}' })
    const record = { step_id: 3, manifest_path: 'm.json' }
    const sizes = async (...given: Parameters<typeof build>) =>
      (await build(...given)).bundle.provenance.map(({ size_bytes }) => size_bytes)
    expect(await sizes(record)).toEqual([0])
    expect(await sizes(record, { ...CHOICE, root })).toEqual([22])
    expect(await sizes({ ...record, files: { 'm.json': '{}' } }, { ...CHOICE, root })).toEqual([2])
    const out = await build({ step_id: 3, manifest_path: '../../etc/passwd' })
    expect(out.bundle.diagnostics[0]).toMatchObject({ code: 'manifest_unreadable' })
    await expect(build({ step_id: 3, root: '../..' })).rejects.toThrow('leads out of the workspace')
    await expect(build({ step_id: 9 })).rejects.toThrow('there is no step 9')
  })

  test('large results are shortened for the window, not for the prompt', async () => {
    const results = { success: true, interpretation: 'word '.repeat(100_000) }
    const built = await build(
      { step_id: 1, results, estimator: 'words13' },
      {
        ...CHOICE,
        budgets: { ctx_max_tokens: 1_000_000, tier1_cap: 900_000 },
      },
    )
    expect(built.shortened).toBe(1)
    expect(built.prompt).toHaveLength(400_000)
    expect(built.promptChars).toBeGreaterThan(500_000)
    expect(built.report.tiers[1]).toMatchObject({ state: 'whole' })
  })

  test('[A7] the library lists steps and defaults; a workspace may bring its own step', async () => {
    const info = await client.call('bundle.library', {})
    expect(info.steps.map(({ stepId }) => stepId)).toEqual([1, 2, 3, 4, 5, 6, 13])
    expect(info.problems).toEqual([])
    const file = '3-full-scoring.yaml'
    const shipped = readFileSync(join(REPOSITORY, 'prompts/steps', file), 'utf8')
    const workspace = makeFolder({
      [`prompts/steps/${file}`]: shipped.replace(/^title: .*/mu, 'title: Mine'),
      'prompts/steps/grammars/sieve_analysis.gbnf': 'root ::= ',
      'prompts/steps/grammars/chapter_13.gbnf': 'root ::= (',
    })
    const other = makeHostHere({ workspace })
    const ports = portPair()
    other.mount(ports.right)
    const mine = connect<TurnscopeContract>(ports.left)
    const own = await mine.call('bundle.library', {})
    expect(own.steps.find(({ stepId }) => stepId === 3)!.title).toBe('Mine')
    expect(own.problems).toEqual([
      'prompts/steps/grammars/chapter_13.gbnf:1:11: ")" is missing. Correct the grammar',
    ])
    writeFileSync(join(workspace, `prompts/steps/${file}`), 'step_id: 3')
    const changed = await mine.call('bundle.library', {})
    expect(changed.steps.map(({ stepId }) => stepId)).toEqual([1, 2, 4, 5, 6, 13])
    await other.close()
  })
})
