import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const FILE = join(REPOSITORY, 'fixtures/import/claude-code/context.jsonl')
const run = async (...args: readonly string[]) =>
  runHere(['context', ...args, '--workspace', REPOSITORY])

test('[X11] a line for each call, with its cuts and its largest sources', async () => {
  const { out } = await run(FILE)
  expect(out).toContain('4 calls; totals recorded; parts estimated by o200k_base')
  expect(out).toMatch(
    /call 2 \(turn 3\): 14,403 tokens, 14,000 cached, 40 output, 7\.2 % of 200,000: system prompt and tools \(not in the file\) 14,\d+, /u,
  )
  expect(out).toContain('-- compacted, 22 events left, 14,703 tokens before, 10,204 after')
})

test('[X11] [X3] --turn prints every part of the call that answers the turn', async () => {
  const { out } = await run(FILE, '--turn', '3')
  expect(out).toMatch(
    /\+ +\d+ {2}rule docs\.md {2}event 15 {2}\(.*docs\.md, for docs\/\*\*\/\*\.md, after Read, event \d+\)/u,
  )
  expect(out).not.toContain('call 3')
  expect((await run(FILE, '--turn', '99')).err).toContain('there is no turn 99')
})

test('[X11] --json has the recorded numbers and all sources of each call', async () => {
  const { out } = await run(FILE, '--json')
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ tokens }) => tokens)).toEqual([14_002, 14_403, 14_703, 10_204])
  for (const { tokens, sources } of lines) {
    const groups = sources as ReadonlyArray<{ readonly tokens: number }>
    expect(groups.reduce((sum, group) => sum + group.tokens, 0)).toBe(tokens)
  }
})

test('[X16] [X17] find reads sources and recorded tokens', async () => {
  const found = async (query: string) => {
    const { out } = await runHere(['find', query, FILE, '--workspace', REPOSITORY])
    return out
      .trim()
      .split('\n')
      .map((line) => /:(\d+) /u.exec(line)?.[1])
  }
  expect(await found('skill:ducks')).toEqual(['29'])
  expect(await found('injected:docs.md context:rule')).toEqual(['14'])
  expect(await found('tokens>14_402 kind:agent')).toEqual(['24'])
  expect(await found('tokens<11k kind:agent')).toEqual(['35'])
})

test('[X10] a cost is shown only with a file of prices; a wrong file is named with its place', async () => {
  const folder = makeFolder()
  const prices = join(folder, 'prices.json')
  const models = { 'claude-opus': { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 } }
  writeFileSync(prices, JSON.stringify({ currency: 'EUR', models }))
  expect((await run(FILE)).out).not.toContain('EUR')
  // 2 × 10 + 14,000 × 20 + 90 × 100, per million.
  expect((await run(FILE, '--prices', prices)).out).toContain('0.2890 EUR')
  writeFileSync(prices, '{"currency": "EUR",\n "models": {"a": {"input": -1, "output": 2}}}')
  expect((await run(FILE, '--prices', prices)).err).toMatch(/prices\.json:2:\d+/u)
})

test('[X1] find matches injected texts by their source', async () => {
  const { out } = await runHere(['find', 'name:"skill ducks"', FILE, '--workspace', REPOSITORY])
  expect(out).toMatch(/:29 injected skill ducks: # Ducks/u)
  expect(out.trim().split('\n')).toHaveLength(1)
})

test('[X18] export --jsonl carries the context of the call that answers each turn', async () => {
  const args = ['export', FILE, '--jsonl', '-', '--no-redact', '--workspace', REPOSITORY]
  const { out } = await runHere(args)
  const lines = out
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          readonly context: { readonly call: number; readonly sources: unknown } | null
        },
    )
  expect(lines.map(({ context }) => context?.call)).toEqual([1, 2, 2, 3, 4])
  const groups = lines[1]?.context?.sources as ReadonlyArray<{ readonly tokens: number }>
  expect(groups.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(14_403)
  expect(lines[0]?.context).toMatchObject({ tokens: 14_002, window: 200_000, cut: null })
})
