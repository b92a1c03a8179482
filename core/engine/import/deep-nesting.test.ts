import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { parseJson } from './json/value.ts'
import { own, textAt } from './shared/guards.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/import')
/** More levels than the stack has room for calls. */
const DEPTH = 10_000
/** A string without escapes that stands for the nested value until the text is made. */
const HERE = '@nested@'

/** Formats without a fixture of their own: one record of each kind. */
const RECORDS: Readonly<Record<string, readonly unknown[]>> = {
  a2a: [
    {
      id: 't',
      contextId: 'c',
      kind: 'task',
      status: {
        state: 'failed',
        message: { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'No.' }] },
      },
      history: [{ messageId: 'h', role: 'user', parts: [{ kind: 'text', text: 'Go.' }] }],
      artifacts: [{ parts: [{ kind: 'data', data: { a: 1 } }, { file: { name: 'a.txt' } }] }],
    },
    { jsonrpc: '2.0', id: 1, result: { messageId: 'n', role: 'agent', parts: [{ text: 'Yes.' }] } },
  ],
  'agents-sdk': [
    { object: 'trace', id: 'trace_1', workflow_name: 'w' },
    {
      object: 'trace.span',
      id: 's1',
      trace_id: 'trace_1',
      parent_id: null,
      started_at: '2026-01-01T00:00:00Z',
      error: { message: 'bad', data: {} },
      span_data: {
        type: 'generation',
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
        output: [{ role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
      },
    },
    {
      object: 'trace.span',
      id: 's2',
      trace_id: 'trace_1',
      span_data: { type: 'function', name: 'f', input: '{}', output: { a: ['b'] } },
    },
    { data: [{ object: 'trace', id: 'trace_2' }] },
  ],
  librechat: [
    {
      conversationId: 'c',
      title: 't',
      messages: [
        { messageId: 'a', isCreatedByUser: true, sender: 'User', text: 'Hi', files: [{ a: 1 }] },
        {
          messageId: 'b',
          parentMessageId: 'a',
          isCreatedByUser: false,
          sender: 'Model',
          content: [
            { type: 'think', think: 'Hm' },
            { type: 'text', text: { value: 'Yes' } },
            { type: 'tool_call', tool_call: { id: 'x', name: 'f', args: { a: 1 }, output: 'o' } },
          ],
          children: [],
        },
      ],
    },
  ],
}

type Shape = (key: string) => string

/** Short replacements, tried at every value. */
const SHORT: readonly Shape[] = [
  () => '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  // Not deep, but String() and Number() throw on it.
  () => '{"toString":1,"valueOf":1}',
]

/** The key in itself, lists of it, and messages in messages. */
const LONG: readonly Shape[] = [
  (key) => `{${JSON.stringify(key)}:`.repeat(DEPTH) + '1' + '}'.repeat(DEPTH),
  (key) => `[{${JSON.stringify(key)}:`.repeat(DEPTH) + '1' + '}]'.repeat(DEPTH),
  () => '{"content":[{"type":"text","text":'.repeat(DEPTH / 2) + '"a"' + '}]}'.repeat(DEPTH / 2),
]

/** In a fixture with more places, every fourth one takes a long shape, in turn: all would cost seconds. */
const FEW = 12

function shapesAt(index: number, takesAll: boolean): readonly Shape[] {
  if (takesAll) return [...SHORT, ...LONG]
  return index % 4 > 0 ? SHORT : [...SHORT, ...LONG.slice((index / 4) % LONG.length).slice(0, 1)]
}

type Path = ReadonlyArray<string | number>

function* placesOf(value: unknown, path: Path = [], key = ''): Generator<[Path, string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name
    const below = [...path, step]
    const last = typeof step === 'string' ? step : key
    yield [below, last]
    yield* placesOf(inner, below, last)
  }
}

function replaced(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return HERE
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[step] = replaced(copy[step], rest)
  return copy
}

/** Formats whose fixtures are used. */
const FOLDERS = [
  'acp',
  'adk',
  'ag-ui',
  'ai-studio',
  'amazon-q',
  'antigravity',
  'claude-code',
  'claude-stream',
  'cline',
  'codex',
  'deepseek-export',
  'discord',
  'gemini-contents',
  'grok-export',
  'kiro-cli',
  'llama-index',
  'mastra',
  'opencode-run',
  'otel-spans',
  'otlp',
  'pydantic-ai',
  'semantic-kernel',
  'sillytavern',
  'slack',
  'takeout-gemini',
  'teams',
  'telegram',
  'vscode-chatreplay',
  'vscode-debug-log',
] as const

function recordsIn(name: string): readonly unknown[] {
  const text = readFileSync(name, 'utf8')
  const lines = name.endsWith('.jsonl') ? text.trim().split('\n') : [text]
  return lines.flatMap((line) => parseJson(line) ?? [])
}

/** The records of each file of a format. */
function filesOf(format: string): ReadonlyArray<readonly unknown[]> {
  const known = RECORDS[format]
  if (known !== undefined) return [known]
  const folder = join(FIXTURES, format)
  const names = readdirSync(folder).filter((name) => /\.jsonl?$/u.test(name))
  return names.map((name) => recordsIn(join(folder, name))).filter((records) => records.length > 0)
}

type Nested = (shape: Shape) => string

/** Records with one place nested, for each place of each kind of record that is not in `seen`.
 * A place is the last two keys: tools and messages are at many depths. */
function* nestedIn(records: readonly unknown[], seen: Set<string>): Generator<Nested> {
  for (const record of records) {
    const kinds = [
      own(record, 'type'),
      own(record, 'kind'),
      textAt(own(record, 'attachment'), 'type'),
    ]
    for (const [path, key] of placesOf(record)) {
      const place = JSON.stringify([
        kinds,
        path.filter((step) => typeof step === 'string').slice(-2),
      ])
      if (seen.has(place)) continue
      seen.add(place)
      const text = JSON.stringify(replaced(record, path))
      yield (shape) => text.replace(JSON.stringify(HERE), () => shape(key))
    }
  }
}

it.each([...Object.keys(RECORDS), ...FOLDERS])(
  '[I5] %s: a value that is nested without end does not end the import',
  { timeout: 60_000 },
  async (format) => {
    const seen = new Set<string>()
    for (const records of filesOf(format)) {
      const plain = records.map((record) => JSON.stringify(record))
      const nested = [...nestedIn(records, seen)]
      if (nested.length === 0) continue
      const takesAll = nested.length <= FEW || RECORDS[format] !== undefined
      const lines = nested.flatMap((made, index) => shapesAt(index, takesAll).map(made))
      const text = [...plain, ...lines].join('\n')
      expect(await readTranscript(Buffer.from(text))).toMatchObject({ ok: true })
    }
  },
)
