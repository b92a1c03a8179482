import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runHere } from '../../fixtures/run-here.ts'
import { HOME } from '../place.ts'
import { createClassifier } from './engine.ts'
import { TurnscopeError, explain, flips, openWorkspace, replay } from './node.ts'

const FILES = ['st-003.jsonl', 'lock-in.jsonl'].map((name) => join(HOME, 'fixtures/sessions', name))
const workspace = openWorkspace()

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('Turnscope for scripts', () => {
  it('[F190] replay decides as the command line does', async () => {
    for (const file of FILES) {
      for (const preset of ['recommended', 'literal', 'field']) {
        const { out } = await runHere(['replay', file, '--json', '--preset', preset])
        const traces = lines(out).filter((line) => 'written' in line)
        const { sessions, problems } = await replay(workspace, file, { preset })
        const turns = sessions.flatMap((session) => session.turns)
        expect(problems).toEqual([])
        expect(turns).toHaveLength(traces.length)
        const own = turns.map((turn) => [
          turn.turn,
          turn.seq,
          turn.signature,
          turn.enrichment,
          turn.text,
          turn.primary,
          turn.confidence,
          turn.secondary,
          turn.secondaryConfidence,
          turn.event,
          turn.rule,
        ])
        const theirs = traces.map((trace, at) => {
          const { primary, secondary, momentum, input } = trace as {
            readonly input: { readonly quotedChars: number }
            readonly primary: { readonly domain: string; readonly confidence: number }
            readonly secondary: { readonly domain: string; readonly confidence: number } | null
            readonly momentum: { readonly event: string; readonly rule: string }
          }
          return [
            trace['turn'],
            trace['seq'],
            trace['signature'],
            trace['enrichment'],
            // A trace has the scored text, and a turn all of it (B26).
            input.quotedChars > 0 ? turns[at]?.text : trace['text'],
            primary.domain,
            primary.confidence,
            secondary?.domain ?? null,
            secondary?.confidence ?? null,
            momentum.event,
            momentum.rule,
          ]
        })
        expect(own).toEqual(theirs)
      }
    }
  }, 60_000)

  it('[F190] [F191] a profile that is missing, or that names no domain, is a warning', async () => {
    const [file = ''] = FILES
    const { warnings } = await replay(workspace, file, { profile: 'no-such-model' })
    expect(warnings.join()).toContain('no-such-model')
    const read = (path: string): unknown => parse(readFileSync(join(HOME, path), 'utf8'))
    const parts = {
      domains: read('profiles/domains/default.yaml'),
      preset: read('profiles/presets/recommended.yaml'),
    }
    expect(createClassifier(parts).warnings).toEqual([])
    const profile = { disabled_domains: ['bugfixx'] }
    expect(createClassifier({ ...parts, profile }).warnings.join()).toContain('bugfixx')
  })

  it('[F190] explain says what the command line says', async () => {
    const [file = ''] = FILES
    const { out } = await runHere(['explain', `${file}#7`, '--json'])
    expect(JSON.parse(JSON.stringify(await explain(workspace, file, 7)))).toEqual(JSON.parse(out))
  })

  it('[F190] flips are those that diff lists', async () => {
    const [file = ''] = FILES
    const args = ['diff', '--base', 'recommended', '--head', 'literal', '--json', '--no-probe']
    const { out } = await runHere([...args, file])
    const listed = lines(out).filter(({ type }) => type === 'flip')
    const found = await flips(workspace, file, {}, { preset: 'literal' })
    expect(listed.length).toBeGreaterThan(0)
    expect(found.map(({ turn, cause, since }) => [turn, cause, since])).toEqual(
      listed.map(({ turn, cause, since }) => [turn, cause, since]),
    )
  })

  it('[F190] what cannot be used is an error with what, where and what to do', async () => {
    const [file = ''] = FILES
    const cases = [
      () => replay(workspace, '/missing.jsonl'),
      () => replay(workspace, file, { preset: 'missing' }),
      () => explain(workspace, file, 0),
      () => explain(workspace, file, 1.5),
      () => explain(workspace, file, 1, { session: 9 }),
      () => flips(workspace, file, {}, { domains: '/missing.yaml' }),
      async () => replay(openWorkspace('/missing'), file),
    ]
    for (const run of cases) {
      const error: unknown = await run().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TurnscopeError)
      if (error instanceof TurnscopeError)
        expect([error.what, error.where, error.do]).not.toContain('')
    }
  })

  it('[F191] the engine alone decides as a replay does', async () => {
    const read = (path: string): unknown => parse(readFileSync(join(HOME, path), 'utf8'))
    const { classify } = createClassifier({
      domains: read('profiles/domains/default.yaml'),
      preset: read('profiles/presets/recommended.yaml'),
    })
    const [file = ''] = FILES
    const { sessions } = await replay(workspace, file)
    for (const { turns } of sessions) {
      let state: ReturnType<typeof classify>['state'] | undefined
      for (const turn of turns) {
        const decided = classify(turn.text, state)
        state = decided.state
        expect([decided.primary, decided.secondary, decided.signature, decided.enrichment]).toEqual(
          [turn.primary, turn.secondary, turn.signature, turn.enrichment],
        )
      }
    }
    expect(() =>
      createClassifier({ domains: {}, preset: read('profiles/presets/recommended.yaml') }),
    ).toThrow('domains')
    expect(() => createClassifier({ domains: {}, preset: {} })).toThrow('the preset')
  })

  it('[F190] the example in examples/node runs as it stands', () => {
    const out = execFileSync(
      process.execPath,
      ['examples/node/most-held-off.mjs', FILES[0] ?? ''],
      {
        cwd: HOME,
        encoding: 'utf8',
      },
    )
    expect(out).toContain('resist: ')
    expect(out).toContain('turn 7: investigation held for')
    expect(out).toMatch(/session 1, turn 7: investigation → \w+ \(direct\)/u)
  })
})
