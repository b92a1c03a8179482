import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

/** Real files of the second round are stored next to a working copy, never inside it. */
const FOLDER = join(import.meta.dirname, '../../../../../shared/sessions-more')
const GROK = 'av-grok-build'
const CURRENT = `${GROK}/current/%2Fworkspace%2Fgrok-worktrees%2Fparser-audit/019f6000-0000-7000-8000-000000000001`
const LEGACY = `${GROK}/legacy/%2Fworkspace%2Fagentsview/019f6000-0000-7000-8000-000000000002`

/** File, its format, and how many events of each kind its records hold, counted in the file by hand. */
const FILES: ReadonlyArray<readonly [string, string, Readonly<Record<string, number>>]> = [
  [
    'agent-sessions-droid/session_store_small.jsonl',
    'droid',
    { user: 1, tool_call: 1, tool_result: 1 },
  ],
  [
    'agent-sessions-droid/session_store_schema_drift.jsonl',
    'droid',
    { injected: 1, user: 1, agent: 1 },
  ],
  [
    'agent-sessions-droid/stream_json_small.jsonl',
    'droid',
    { user: 1, tool_call: 1, tool_result: 1, agent: 1 },
  ],
  [
    'agent-sessions-droid/stream_json_schema_drift.jsonl',
    'droid',
    { injected: 1, user: 1, tool_call: 1, tool_result: 1, agent: 1, system: 1 },
  ],
  [
    'agent-sessions-grok/chat_history.jsonl',
    'grok',
    {
      system: 1,
      injected: 1,
      interruption: 1,
      user: 2,
      reasoning: 2,
      agent: 1,
      tool_call: 3,
      tool_result: 2,
    },
  ],
  [
    'agent-sessions-grok/subagent/chat_history.jsonl',
    'grok',
    { system: 1, user: 1, agent: 2, tool_call: 1, tool_result: 1 },
  ],
  [
    `${CURRENT}/chat_history.jsonl`,
    'grok',
    { system: 1, injected: 1, user: 2, reasoning: 1, agent: 2, tool_call: 2, tool_result: 1 },
  ],
  [
    `${LEGACY}/chat_history.jsonl`,
    'openai-messages',
    { system: 1, user: 1, reasoning: 1, agent: 2, tool_call: 1, tool_result: 1 },
  ],
  [
    'agent-sessions-kimi/assistant_tools.jsonl',
    'kimi',
    {
      system: 1,
      user: 8,
      injected: 5,
      reasoning: 22,
      agent: 6,
      tool_call: 19,
      tool_result: 19,
      summary: 1,
    },
  ],
  [
    'av-iflow/session-5de701fc-7454-4858-a249-95cac4fd3b51.jsonl',
    'iflow',
    { user: 1, agent: 3, tool_call: 6, tool_result: 6, injected: 5 },
  ],
  ['agent-sessions-kimi/small.jsonl', 'kimi', { system: 1, user: 3, interruption: 2 }],
  [
    'agent-sessions-kimi/subagent_agent-0.jsonl',
    'kimi',
    { system: 1, subagent_prompt: 1, reasoning: 3, tool_call: 2, tool_result: 2, agent: 1 },
  ],
]

const there = existsSync(FOLDER)
if (!there) console.log(`real transcripts of newer formats: ${FILES.length} files skipped`)

describe.skipIf(!there)('real files of newer formats', () => {
  it.each(FILES)('[I5] %s opens as %s with all that it says', async (file, format, counts) => {
    const opened = await readTranscript(join(FOLDER, file))
    if (!opened.ok) throw new Error(JSON.stringify(opened.error))
    const { value } = opened
    expect(value.format).toBe(format)
    expect(value.problems).toEqual([])
    const found: Record<string, number> = {}
    for (const { kind } of value.sessions.flatMap(plainEvents)) found[kind] = (found[kind] ?? 0) + 1
    expect(found).toEqual(counts)
  })

  it('[I135] the calls of a history are answered by its results', async () => {
    const path = join(FOLDER, 'agent-sessions-grok/chat_history.jsonl')
    const opened = await readTranscript(path)
    const events = opened.ok ? opened.value.sessions.flatMap(plainEvents) : []
    const results = events.filter(({ kind }) => kind === 'tool_result')
    expect(results.map(({ name }) => name)).toEqual(['read_file', 'run_terminal_cmd'])
    const ids = readFileSync(path, 'utf8').match(/"tool_call_id":"[^"]+"/gu) ?? []
    expect(results).toHaveLength(ids.length)
  })
})
