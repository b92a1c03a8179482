import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const SHOP = join(REPOSITORY, 'fixtures/skills')

function makeShop() {
  const root = makeFolder()
  cpSync(SHOP, root, { recursive: true })
  const rules = join(root, '.claude/skills/skill-rules.json')
  const text = readFileSync(rules, 'utf8')
  const changed = (from: string, to: string) => {
    const path = join(root, 'changed.json')
    writeFileSync(path, text.replace(from, to))
    return path
  }
  return { session: join(root, 'shop.jsonl'), rules, changed }
}

interface Line {
  readonly signature: string
  readonly momentum: { readonly reason: string }
}

test('[K12] [K19] skill rules are the domains of a replay, and say which skills fire', async () => {
  const { session, rules } = makeShop()
  const ran = await runHere(['replay', '--json', '--domains', rules, session])
  const lines = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect(lines.map(({ signature }) => signature)).toEqual([
    'api-guidelines',
    'testing',
    'secrets',
    '(no skill)',
    'docs+secrets',
    'api-guidelines+testing',
    '(no skill)',
  ])
  expect(lines[5]?.momentum.reason).toContain('nothing is carried over')
  expect(ran.code).toBe(0)
})

test('[K20] check: the labelled skill has to fire, in whatever place, and a forbidden one may not', async () => {
  const { session, rules, changed } = makeShop()
  expect(await runHere(['check', '--domains', rules, session])).toMatchObject({ code: 0 })
  const without = changed('"readme"', '"guide"')
  const wrong = await runHere(['check', '--domains', without, session])
  expect(wrong.code).toBe(1)
  expect(wrong.out).toContain('turn 5 (event 9): expected docs, got secrets')
  // The label forbids the skills that fire together with the labelled skill.
  const more = await runHere(['check', '--domains', changed('"API"', '"form"'), session])
  expect(more.code).toBe(1)
  expect(more.out).toContain('got api-guidelines, docs, secrets, which the label forbids')
})

test('[K12] diff: a third skill that fires is a flip, though the first two are the same', async () => {
  const { session, rules, changed } = makeShop()
  const head = changed(
    '"docs": { "type": "domain", "enforcement": "suggest", "priority": "low", "promptTriggers": { "keywords": ["readme"] } }',
    '"docs": { "priority": "low", "promptTriggers": { "keywords": ["readme", "payment"] } }',
  )
  const ran = await runHere([
    'diff',
    '--domains',
    rules,
    '--base',
    `domains:${rules}`,
    '--head',
    `domains:${head}`,
    '--json',
    session,
  ])
  expect(ran.code).toBe(1)
  const [flip] = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(flip).toMatchObject({ turn: 6, fields: ['signature'], cause: 'direct' })
})

test('[K17] every bad pattern is named with file, line and column, and nothing runs', async () => {
  const { session, changed } = makeShop()
  const broken = changed('(write|fix).*?spec', '(write|fix.*?spec')
  const ran = await runHere(['check', '--domains', broken, session])
  expect(ran.code).toBe(2)
  expect(ran.err).toMatch(/changed\.json:28:\d+: domain "testing", signal 3: .*Unterminated group/u)
})

test('[K11] lint speaks of keywords as keywords, and of JavaScript alone', async () => {
  const { session, rules } = makeShop()
  const { out } = await runHere(['lint', '--domains', rules, session])
  expect(out).toContain(String.raw`Use the pattern \btest\b instead, or a longer phrase.`)
  expect(out).not.toContain(' dialect: ')
  expect(out).not.toContain(' drift: ')
})

test('[K21] [K22] lint --witnesses: each thing with its messages or its proof; what nothing reaches is a finding', async () => {
  const { changed } = makeShop()
  const domains = changed(String.raw`\\bfix\\b.*?\\bstatus code\\b`, String.raw`(?!fix)fix`)
  const ran = await runHere(['lint', '--witnesses', '--domains', domains])
  expect(ran.code).toBe(1)
  expect(ran.out).toContain('signal testing/1: "test"\n')
  expect(ran.out).toContain('domain secrets: "password"\n')
  expect(ran.out).toContain('rule M3: never: skills have no momentum (K13) (off)\n')
  expect(ran.out).toMatch(
    /changed\.json:15: error unreachable: api-guidelines\/5: No message reaches it/u,
  )
  const json = await runHere(['lint', '--witnesses', '--json', '--domains', domains])
  const lines = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'reach', kind: 'signal', signal: 4, status: 'never' }),
  )
})

test('[K24] explain names the files that were edited after a message, and which file triggers fire on them', async () => {
  const { session, rules } = makeShop()
  const call = (name: string, args: object) =>
    JSON.stringify({ kind: 'tool_call', name, text: JSON.stringify(args) })
  const lines = readFileSync(session, 'utf8').trim().split('\n')
  const edited = [
    ...lines.slice(0, 2),
    call('Edit', { file_path: 'src/api/refunds.ts', new_string: 'router.post("/refunds")' }),
    call('Write', { file_path: 'src/api/refunds.test.ts', content: 'router.get("/refunds")' }),
    call('Edit', { file_path: 'src/api/money.ts', new_string: 'export const cents = 1' }),
    call('Read', { file_path: 'src/api/money.ts' }),
    ...lines.slice(2),
  ]
  writeFileSync(session, `${edited.join('\n')}\n`)
  const { out, code } = await runHere(['explain', `${session}#1`, '--domains', rules])
  expect(code).toBe(0)
  expect(out.slice(out.indexOf('Edited files'))).toMatch(
    /^Edited files\n {2}src\/api\/refunds\.ts \(event 2, Edit\)\n {4}api-guidelines fires: the text matches router\\\.\(get\|post\) \(path src\/api\/\*\*\/\*\.ts\)\n/u,
  )
  expect(out).toContain('does not fire: the path is excluded by **/*.test.ts')
  expect(out).toContain('does not fire: the text matches none of router\\.(get|post)')
  expect(out).not.toContain('Read')
  const json = await runHere(['explain', '--json', `${session}#1`, '--domains', rules])
  const trace = JSON.parse(json.out) as { edits: Array<{ skills: Array<{ verdict: string }> }> }
  expect(trace.edits.flatMap(({ skills }) => skills.map(({ verdict }) => verdict))).toEqual([
    'fires',
    'excluded',
    'no_content',
  ])
  // The second message was not followed by any edit, and domains have none at all.
  const second = await runHere(['explain', `${session}#2`, '--domains', rules])
  expect(second.out).not.toContain('Edited files')
  const domains = await runHere(['explain', '--json', `${session}#1`])
  expect(JSON.parse(domains.out)).not.toHaveProperty('edits')
})
