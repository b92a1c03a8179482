import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../../../scripts/build.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { createPipelines } from '../../rules/pipelines.ts'
import { createSessionService } from '../../sessions/session/service.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { shownRows } from '../../turns/session/rows.ts'
import { createContextHandlers } from './context-handlers.ts'

const { signal } = new AbortController()

/** The handlers of a service in which one fixture is open. */
async function opened(path: string) {
  const workspace = openWorkspace(ROOT, ROOT)
  const service = createSessionService(workspace, createPipelines(), createTimeLimit())
  const file = {
    path: join(ROOT, path),
    name: basename(path),
    shown: null,
    fixed: null,
    map: null,
  }
  const reading = service.open('k', file, signal)
  while ((await reading.next()).done !== true);
  const handlers = createContextHandlers(service, workspace)
  const ask = async (seq: number) =>
    await handlers['context.call'](
      { key: 'k', session: 0, seq, profile: null },
      {
        signal,
      },
    )
  const all = async () =>
    await handlers['context.calls']({ key: 'k', session: 0, profile: null }, { signal })
  return { ask, all, service }
}

const FIXTURE = 'fixtures/import/claude-code/context.jsonl'

test('[X12] the call that made the selected event, or the next one, with its parts', async () => {
  const { ask, service } = await opened(FIXTURE)
  const first = await ask(7)
  expect(first).toMatchObject({ calls: 4, isRecorded: true, tokenizer: 'o200k_base' })
  expect(first.call).toMatchObject({ nth: 0, tokens: 14_002, window: 200_000, cut: null })
  // The Bash call is the first output of the second call of the model.
  const second = (await ask(16)).call
  expect(second).toMatchObject({ nth: 1, seq: 16, tokens: 14_403 })
  // The second output of the first call, and what a hook added behind the second call.
  expect((await ask(11)).call?.nth).toBe(0)
  expect((await ask(17)).call?.nth).toBe(2)
  const rule = second?.parts.find(({ label }) => label === 'rule docs.md')
  expect(rule).toMatchObject({
    seq: 14,
    added: true,
    source: { globs: ['docs/**/*.md'], cause: 'k2' },
  })
  const sum = second?.parts.reduce((before, { tokens }) => before + tokens, second.rest)
  expect(sum).toBe(second?.tokens)
  const last = (await ask(31)).call
  expect(last?.cut).toEqual({ reason: 'compacted', events: 22, before: 14_703 })
  expect(last?.parts.map(({ label }) => label)).toEqual([
    'summary',
    'file ducks.ts',
    'plan p.md',
    'skill ducks',
    'skill release-notes',
    'file NOTES.md',
    'date',
    'user messages',
  ])
  service.close('k')
})

test('[X1] rows name the source of an injected event', async () => {
  const { service } = await opened(FIXTURE)
  const range = { from: 0, to: 20, maxChars: 100, config: null }
  const { rows } = await shownRows(service, { key: 'k', session: 0, ...range })
  expect(rows.filter(({ kind }) => kind === 'injected').map(({ name }) => name)).toEqual([
    'skill list',
    'tool list',
    'agent list',
    'MCP ponds',
    'MCP weather',
    'CLAUDE.md',
    'hook SessionStart:startup',
    'hook UserPromptSubmit',
    'rule docs.md',
    'CLAUDE.md',
    'hook PreToolUse:Bash',
    'file pond.ts',
  ])
  service.close('k')
})

test('[X14] [X15] all calls as columns, with layers, windows and cuts', async () => {
  const { all, service } = await opened(FIXTURE)
  const columns = await all()
  const wide = columns.layers.length
  const sums = columns.seq.map((_, nth) =>
    columns.tokens.slice(nth * wide, (nth + 1) * wide).reduce((sum, one) => sum + one, 0),
  )
  expect(sums).toEqual([14_002, 14_403, 14_703, 10_204])
  expect(columns.layers[0]).toBe('system prompt and tools (not in the file)')

  expect(columns.layers.slice(1, 4)).toEqual(['tool calls', 'hooks', 'MCP instructions'])
  expect(columns.layers.at(-1)).toBe('others')
  expect(columns.window).toEqual([200_000, 200_000, 200_000, 200_000])
  expect(columns.cuts).toEqual([{ call: 3, reason: 'compacted', before: 14_703 }])
  expect(columns).toMatchObject({ isRecorded: true, tokenizer: 'o200k_base' })
  service.close('k')
})
