import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../schema/event.ts'
import { htmlText } from '../shared/html-text.ts'
import { DIALECTS } from './table.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import')

async function eventsOf(input: string | Buffer) {
  const read = await readTranscript(input)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value.sessions.flatMap((session) =>
    plainEvents(session).map(({ kind, name, text, isError }) => ({ kind, name, text, isError })),
  )
}

const ROWS: ReadonlyArray<
  readonly [title: string, file: string, users: readonly string[], failed: number]
> = [
  ['[I191] ADK sessions', 'adk/session.json', ['Which trees need water?\n[image image/png]'], 2],
  [
    '[I191] Gemini requests with answers',
    'gemini-contents/pairs.jsonl',
    ['Name a river in Saxony.', 'Name another river there.'],
    1,
  ],
  [
    '[I192] Pydantic AI',
    'pydantic-ai/messages.json',
    ['Weigh this parcel.\n[image image/png https://example.org/parcel.png]'],
    1,
  ],
  [
    '[I193] Semantic Kernel',
    'semantic-kernel/dotnet.json',
    ['Turn on the lamp.\n[image image/png https://example.org/lamp.png]'],
    0,
  ],
  [
    '[I194] LlamaIndex',
    'llama-index/store.json',
    ['Find books on moss.\n[image image/png /w/moss.png]', 'Is it open on Sunday?'],
    0,
  ],
  ['[I195] Mastra', 'mastra/rows.jsonl', ['Plan the tour.', 'Another thread here.'], 0],
  ['[I196] Kiro CLI', 'kiro-cli/session.jsonl', ['Count the tests\n[image png]'], 1],
  ['[I196] Amazon Q', 'amazon-q/pairs.json', ['List the disks', 'Stop, only list mounts'], 1],
  ['[I197] Antigravity', 'antigravity/transcript.jsonl', ['Show the licence.'], 1],
  [
    '[I198] VS Code chat replays',
    'vscode-chatreplay/two.chatreplay.json',
    ['sort the list', 'undo that'],
    1,
  ],
  ['[I199] VS Code debug logs', 'vscode-debug-log/main.jsonl', ['Explain the build'], 2],
  ['[I200] Slack', 'slack/newest-first.json', ['Deploy if a < b\n[file text/plain plan.txt]'], 0],
  ['[I200] Discord', 'discord/channel.json', ['Who waters today?\n[file list.png]'], 0],
  ['[I200] Teams', 'teams/newest-first.json', ['Is the build green?\n[file reference log.txt]'], 0],
  ['[I200] SillyTavern', 'sillytavern/chat.jsonl', ['Show me the roses.'], 0],
  ['[I201] DeepSeek', 'deepseek-export/conversations.json', ['When is high tide?'], 0],
  ['[I201] Grok', 'grok-export/export.json', ['How much salt?'], 0],
  [
    '[I202] Gemini Takeout',
    'takeout-gemini/MyActivity.json',
    ['Who built the dam?', 'Where is the mill?'],
    0,
  ],
  ['[I203] AG-UI', 'ag-ui/run.jsonl', ['How long is the bridge?', 'And how wide?'], 1],
  ['[I204] ACP', 'acp/log.jsonl', ['Rename the module.\n[file file:///w/a.ts]'], 1],
  ['[I196] OpenCode run', 'opencode-run/run.jsonl', [], 2],
]

describe('dialects', () => {
  it.each(ROWS)('%s: what the user said, and failures', async (_title, file, users, failed) => {
    const events = await eventsOf(join(FIXTURES, file))
    expect(events.filter(({ kind }) => kind === 'user').map(({ text }) => text)).toEqual(users)
    expect(events.filter(({ isError }) => isError)).toHaveLength(failed)
  })

  it('[I190] no dialect knows a fixture of another format', () => {
    const records = ROWS.map(([, file]) => {
      const text = readFileSync(join(FIXTURES, file), 'utf8')
      const values = file.endsWith('.jsonl')
        ? text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [JSON.parse(text) as unknown]
      return { format: file.split('/')[0], values }
    })
    for (const { name, detect } of DIALECTS) {
      for (const { format, values } of records) {
        const isIts = detect({
          layout: 'lines',
          text: '',
          values,
          objects: values.filter((value) => typeof value === 'object') as never,
        })
        // Records of these arrive one by one, as items of a list.
        if (!(values.length === 1 && Array.isArray(values[0])))
          expect([name, format, isIts]).toEqual([name, format, name === format])
      }
    }
  })

  it('[I190] a stream that stops shows what it has, once', async () => {
    const pieces = [
      '{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}',
      '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"It rai"}',
    ]
    expect(await eventsOf(Buffer.from(pieces.join('\n')))).toEqual([
      { kind: 'agent', name: null, text: 'It rai', isError: false },
    ])
  })

  it.each([
    ['<STYLE>p { color: red }</STYLE>Hello', 'Hello'],
    ['<Script>x</sCRIPT >Hello', 'Hello'],
    ['<style>a</styles>b</style>Hello', 'Hello'],
    ['<head><title>t</title></header></head>Hello', 'Hello'],
    ['<header>Title</header> Hello', 'Title Hello'],
    ['<html><head><title>t</title><BODY>Hello</BODY></html>', 'Hello'],
    ['Hello<script>never ends', 'Hello'],
    ['Hello<style>x</style', 'Hello'],
  ])('[I200] %s: only what an element hides is left out', (html, text) => {
    expect(htmlText(html)).toBe(text)
  })

  it('[I200] HTML becomes text in linear time', () => {
    expect(htmlText('<p>a &lt; b</p><script>x</script><br>c &#8364; <')).toBe('a < b\nc € <')
    const started = performance.now()
    htmlText('<'.repeat(300_000) + '<a'.repeat(300_000) + '<script>'.repeat(100_000))
    htmlText('<style></STYLE></styl>'.repeat(30_000) + '<head>' + '</header>'.repeat(30_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
