import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../fixtures/import/otlp/${name}`, import.meta.url), 'utf8')
const linesOf = (name: string): readonly string[] => fixture(name).trimEnd().split('\n')

async function read(text: string): Promise<ImportedTranscript> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Content of every session, without its place in the file. */
function said({ sessions }: ImportedTranscript): readonly object[] {
  return sessions
    .map((session) => ({
      id: session.id,
      thread: session.thread,
      events: plainEvents(session).map(({ kind, name, text, at, isError, model }) => ({
        kind,
        name,
        text,
        at,
        isError,
        model,
      })),
    }))
    .toSorted((a, b) => a.id.localeCompare(b.id))
}

interface Export {
  readonly resourceLogs: ReadonlyArray<{
    readonly scopeLogs: ReadonlyArray<{ readonly logRecords: readonly object[] }>
  }>
}
const recordsOf = (line: string) =>
  (JSON.parse(line) as Export).resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords),
  )
const exportOf = (records: readonly object[]) =>
  JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] })

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } })
const TRACE = '5b8efff798038103d269b633813fc60c'
const event = (nano: number, name: string, attributes: readonly object[], more: object = {}) => ({
  timeUnixNano: `${1_790_000_000_000 + nano}000000`,
  body: { stringValue: name },
  attributes: [attribute('session.id', 's'), ...attributes],
  ...more,
})

describe('[I149] logs of OTLP', () => {
  const all = linesOf('claude-code-logs.jsonl')

  it('say the same as an array, in one export, in snake_case, and for the second time', async () => {
    const expected = said(await read(all.join('\n')))
    expect(expected).not.toEqual([])
    const snake = all
      .join('\n')
      .replaceAll(/"(\w+)":/gu, (key) =>
        key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      )
    expect(snake).toContain('"scope_logs"')
    const other = [
      `[${all.join(',')}]`,
      exportOf(all.flatMap(recordsOf)),
      snake,
      [...all, ...all].join('\n'),
    ]
    for (const text of other) expect(said(await read(text))).toEqual(expected)
  })

  it('are in the order of time, then of their numbers, however they were written', async () => {
    const records = all.flatMap(recordsOf)
    const expected = said(await read(exportOf(records)))
    const orders = fc.shuffledSubarray(records, { minLength: records.length })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(said(await read(order.map((one) => exportOf([one])).join('\n')))).toEqual(expected)
      }),
      casesOf('otlp: order'),
    )
  })

  it('are one session by their trace, else by their process, where nothing names one', async () => {
    const record = (prompt: string, more: object) => ({
      ...event(1, 'claude_code.user_prompt', [], more),
      attributes: [attribute('prompt', prompt)],
    })
    const resource = { attributes: [attribute('service.name', 'shop')] }
    const text = JSON.stringify({
      resourceLogs: [
        {
          resource,
          scopeLogs: [{ logRecords: [record('a', { traceId: TRACE }), record('b', {})] }],
        },
      ],
    })
    expect(said(await read(text)).map((session) => 'id' in session && session.id)).toEqual([
      TRACE,
      'shop',
    ])
  })
})

describe('[I150] events of coding agents', () => {
  it.each([
    ['claude_code.user_prompt', [attribute('prompt', 'hello there')], 'user', 'hello there'],
    ['claude_code.user_prompt', [attribute('prompt', '<REDACTED>')], 'meta', 'REDACTED'],
    ['codex.user_prompt', [attribute('prompt', '[REDACTED]')], 'meta', 'REDACTED'],
    ['gemini_cli.user_prompt', [attribute('prompt_length', '5')], 'meta', 'prompt_length'],
    ['claude_code.assistant_response', [attribute('response', 'done')], 'agent', 'done'],
    ['claude_code.api_error', [attribute('error', 'Overloaded')], 'system', 'Overloaded'],
    [
      'claude_code.tool_decision',
      [attribute('decision', 'reject'), attribute('tool_name', 'Bash')],
      'notification',
      'reject Bash',
    ],
  ])('%s with %j is %s', async (name, attributes, kind, text) => {
    const [session] = (await read(exportOf([event(1, name, attributes)]))).sessions
    const [first] = session === undefined ? [] : plainEvents(session)
    expect(first?.kind).toBe(kind)
    expect(first?.text).toContain(text)
  })

  it('the name is a field, an attribute, or the body', async () => {
    const prompt = [attribute('prompt', 'hello')]
    const one = { timeUnixNano: '1790000000000000000', attributes: prompt }
    const named = [
      { ...one, eventName: 'claude_code.user_prompt' },
      { ...one, attributes: [...prompt, attribute('event.name', 'user_prompt')] },
      { ...one, body: { stringValue: 'claude_code.user_prompt' } },
    ]
    for (const record of named) {
      const [session] = (await read(exportOf([record]))).sessions
      expect(session === undefined ? [] : plainEvents(session)).toMatchObject([{ text: 'hello' }])
    }
  })
})

describe('[I151] GenAI events', () => {
  it('are the words of their span, whichever comes first', async () => {
    const all = linesOf('genai-events.jsonl')
    const expected = said(await read(all.join('\n')))
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...all], { minLength: all.length }), async (order) => {
        expect(said(await read(order.join('\n')))).toEqual(expected)
      }),
      casesOf('otlp: words'),
    )
  })

  it('without a span, or in one that is no model call, are a call of their own', async () => {
    const message = (content: string) => ({
      kvlistValue: { values: [attribute('content', content)] },
    })
    const words = (more: object) =>
      exportOf([
        event(1, '', [attribute('event.name', 'gen_ai.user.message')], {
          body: message('one'),
          ...more,
        }),
        event(2, '', [attribute('event.name', 'gen_ai.choice')], {
          body: message('two'),
          ...more,
        }),
        event(3, '', [attribute('event.name', 'gen_ai.user.message')], {
          body: message('three'),
          ...more,
        }),
        event(4, '', [attribute('event.name', 'gen_ai.choice')], {
          body: message('four'),
          ...more,
        }),
      ])
    const texts = async (text: string) =>
      (await read(text)).sessions.map((session) =>
        plainEvents(session).map(({ kind, text: one }) => `${kind} ${one}`),
      )
    const all = ['user one', 'agent two', 'user three', 'agent four']
    expect(await texts(words({}))).toEqual([all])
    const span = JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            { spans: [{ traceId: TRACE, spanId: '00f067aa0ba902b7', name: 'handle request' }] },
          ],
        },
      ],
    })
    const within = words({ traceId: TRACE, spanId: '00f067aa0ba902b7' })
    expect(await texts(`${span}\n${within}`)).toEqual([
      ['user one', 'user three', 'agent two', 'agent four'],
    ])
  })
})

describe('[I152] spans and logs of one conversation', () => {
  const spanOf = (attributes: readonly object[]) =>
    JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: TRACE,
                  spanId: '00f067aa0ba902b7',
                  name: 'chat',
                  startTimeUnixNano: '1790000000000000000',
                  endTimeUnixNano: '1790000001000000000',
                  attributes: [
                    attribute('session.id', 's'),
                    attribute('gen_ai.operation.name', 'chat'),
                    ...attributes,
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
  const logs = exportOf([event(1, 'claude_code.user_prompt', [attribute('prompt', 'as a log')])])
  const texts = (transcript: ImportedTranscript) =>
    transcript.sessions.map((session) => plainEvents(session).map(({ text }) => text))

  it('the spans tell it where they have words, and what is left out is counted', async () => {
    const spoken = spanOf([
      attribute('gen_ai.input.messages', '[{"role":"user","content":"as a span"}]'),
    ])
    for (const text of [`${spoken}\n${logs}`, `${logs}\n${spoken}`]) {
      const transcript = await read(text)
      expect(texts(transcript)).toEqual([['as a span']])
      expect(transcript.skipped).toMatchObject({ 'log told by spans': 1 })
    }
  })

  it('the logs tell it where the spans have none', async () => {
    for (const text of [`${spanOf([])}\n${logs}`, `${logs}\n${spanOf([])}`])
      expect(texts(await read(text))).toEqual([['as a log']])
  })
})

it('[I153] answers to other parts of the program are threads of their own, a compaction is a summary', async () => {
  const answer = (nano: number, response: string, source: string) =>
    event(nano, 'claude_code.assistant_response', [
      attribute('response', response),
      attribute('query_source', source),
    ])
  const transcript = await read(
    exportOf([
      answer(1, 'said', 'repl_main_thread'),
      answer(2, 'found', 'Explore'),
      answer(3, 'shortened', 'compact'),
    ]),
  )
  const threads = transcript.sessions.map((session) => ({
    thread: session.thread,
    parent: session.parent,
    events: plainEvents(session).map(({ kind, text }) => `${kind} ${text}`),
  }))
  expect(threads).toEqual([
    { thread: 'main', parent: null, events: ['agent said', 'summary shortened'] },
    { thread: 'Explore', parent: 's', events: ['agent found'] },
  ])
})

it('[I154] records without words are shown only where their session has no others', async () => {
  const request = event(1, 'claude_code.api_request', [attribute('model', 'm')])
  const alone = await read(exportOf([request]))
  expect(alone.sessions.flatMap((session) => plainEvents(session))).toMatchObject([
    { kind: 'meta', name: 'claude_code.api_request' },
  ])
  const prompt = event(2, 'claude_code.user_prompt', [attribute('prompt', 'hello')])
  for (const records of [
    [request, prompt],
    [prompt, request],
  ]) {
    const both = await read(exportOf(records))
    expect(both.sessions.flatMap((session) => plainEvents(session))).toMatchObject([
      { kind: 'user' },
    ])
    expect(both.skipped).toEqual({ 'log/claude_code.api_request': 1 })
  }
})
