import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../fixtures/host.ts'
import { makeLab, runIn, sarifOf } from '../../../fixtures/lab-folder.ts'
import { runHere } from '../../../fixtures/run-here.ts'
import { sarifFaults } from '../../../fixtures/sarif-schema.ts'

test('[B18] every command names every bad pattern with file, line and domain', async () => {
  const root = makeLab()
  const text = readFileSync(join(root, 'domains.yaml'), 'utf8')
  writeFileSync(
    join(root, 'bad.yaml'),
    text.replace('\\bcommit\\b', '(commit').replace("'\\bfix(?:es|ed)?\\b'", "'[fix'"),
  )
  const answers = await Promise.all([
    runIn(root, 'lint', '--domains', 'bad.yaml'),
    runIn(root, 'replay', 'session.jsonl', '--domains', 'bad.yaml'),
    runIn(root, 'check', 'session.jsonl', '--domains', 'bad.yaml'),
  ])
  for (const { code, err } of answers) {
    expect(code).toBe(2)
    expect(err).toMatch(/bad\.yaml:\d+:\d+: domain "bugfix", signal \d+/u)
    expect(err).toMatch(/bad\.yaml:\d+:\d+: domain "git_ops", signal \d+/u)
  }
})

test('[L40] lint states what prompts and sessions show: variables, self-signals, results of steps', async () => {
  const root = makeLab()
  cpSync(join(REPOSITORY, 'prompts/oracle'), join(root, 'prompts/oracle'), { recursive: true })
  writeFileSync(join(root, 'prompts/oracle/base.md'), 'At most {{ max_turns }} turns.')
  const record = { step_id: 4, results: { best_r2: 0.5, extra: 1 } }
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's', title: 't' },
    { kind: 'user', at: 1, text: 'go' },
    { kind: 'agent', at: 2, text: 'So.\n<signal type="need_turn">\n <reason>cut' },
    { kind: 'step', at: 3, text: JSON.stringify(record) },
  ]
  writeFileSync(join(root, 's.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const rules = ['undefined-variable', 'self-signal', 'step-results'].flatMap((rule) => [
    '--rule',
    rule,
  ])
  const { out, code } = await runIn(
    root,
    'lint',
    's.jsonl',
    ...rules,
    '--domains',
    'domains.yaml',
    '--workspace',
    root,
  )
  expect(out).toMatch(/base\.md: info undefined-variable: .*max_turns/u)
  expect(out).toMatch(/s\.jsonl:3: info self-signal: unfinished/u)
  expect(out).toMatch(/s\.jsonl:4: info step-results: .*validation_r2/u)
  expect(out).toMatch(/s\.jsonl:4: info step-results: .*extra/u)
  expect(code).toBe(0)
})

test('[L61] lint names what a template uses that is outside of the subset', async () => {
  const root = makeLab()
  cpSync(join(REPOSITORY, 'prompts/oracle'), join(root, 'prompts/oracle'), { recursive: true })
  writeFileSync(join(root, 'prompts/oracle/base.md'), '{{ limit | wordwrap(20) }}')
  const rest = ['--rule', 'template', '--domains', 'domains.yaml', '--workspace', root]
  const { out } = await runIn(root, 'lint', ...rest)
  expect(out).toMatch(/base\.md: info template: .*the filter "wordwrap" is outside/u)
})

test('[L40] [L37] lint lists verdicts that contradict their reason, and runs that disagree', async () => {
  const sample = join(REPOSITORY, 'fixtures', 'sessions', 'second-opinions.jsonl')
  const { code, out } = await runHere(['lint', sample, '--rule', 'verdict'])
  expect(code).toBe(0)
  expect(out).toMatch(/second-opinions\.jsonl:9: .*contradicts_reason/u)
  expect(out).toMatch(/second-opinions\.jsonl:12: .*runs_disagree: one run says question/u)
  // [L32] [L33] The sample also shows an answer that is too unsure, and one about a long output.
  const judged = await runHere(['coach', sample, '--json'])
  const lines = judged.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines[0]).toMatchObject({ type: 'question', confidence: 0.62, source: 'recorded' })
  expect(lines[0]).toMatchObject({ flags: ['low_confidence'], passes: true })
  expect(lines[0]).toHaveProperty('coaching_message', expect.stringContaining('contour tests'))
})

test('[T48] lint speaks of the configuration alone, and of sessions where there are some', async () => {
  const root = makeLab()
  const text = readFileSync(join(root, 'domains.yaml'), 'utf8')
  const twice = text.replace(
    "- '\\bfix(?:es|ed)?\\b'",
    "- '\\bfix(?:es|ed)?\\b'\n      - '\\bfix(?:es|ed)?\\b'",
  )
  writeFileSync(join(root, 'twice.yaml'), twice)
  const only = ['--rule', 'duplicate', '--domains', 'twice.yaml']
  const [alone, strict, over] = await Promise.all([
    runIn(root, 'lint', ...only, '--sarif', 'lint.sarif', '--junit', 'lint.xml'),
    runIn(root, 'lint', ...only, '--strict'),
    runIn(root, 'lint', 'session.jsonl', ...only, '--json'),
  ])
  expect(alone.out).toMatch(/^twice\.yaml:1[56]: (?:warning|error) duplicate: bugfix\/[34]/u)
  expect(strict.code).toBe(1)
  const finding = JSON.parse(over.out.split('\n')[0] ?? '') as object
  expect(finding).toMatchObject({ rule: 'duplicate', domain: 'bugfix' })
  const result = sarifOf(join(root, 'lint.sarif')).runs[0]?.results[0]
  expect(result).toMatchObject({ ruleId: 'duplicate' })
  expect(sarifFaults(readFileSync(join(root, 'lint.sarif'), 'utf8'))).toEqual([])
  expect(readFileSync(join(root, 'lint.xml'), 'utf8')).toContain('<failure message=')
})
