import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { textOf } from '../../engine/schema/event.ts'
import { FormatMap } from '../../engine/schema/format-map.ts'
import { previewFormat, startFormat } from '../mappings/format-preview.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { formatOfFile, type FormatsOf, workspaceFormats } from './own-formats.ts'
import { readText } from '../platform/files/regular-file.ts'
import { openTranscript } from './transcript.ts'
import { openWorkspace } from '../workspace/workspace.ts'

const FIXTURES = fileURLToPath(new URL('../../../fixtures/own-format/', import.meta.url))
const SHOP = join(FIXTURES, 'shop-bot.jsonl')
const SHOP_MAP = join(FIXTURES, 'shop-bot.yaml')

/** Vitest types its own as `any`. */
const containing = (text: string): unknown => expect.stringContaining(text)
const matching = (text: RegExp): unknown => expect.stringMatching(text)

async function read(path: string, formats: FormatsOf) {
  const opened = await openTranscript(path, { formats })
  if (!opened.ok) return opened.error
  const { transcript, formatLabel } = opened.value
  const sessions = transcript.sessions.map(({ id, title, parent, events, texts }) => ({
    id,
    title,
    parent,
    events: events.map((event) => ({ ...event, text: textOf(event, texts) })),
  }))
  opened.value.close()
  return {
    format: transcript.format,
    formatLabel,
    sessions,
    problems: transcript.problems,
    skipped: transcript.skipped,
  }
}

async function good(path: string, formats: FormatsOf) {
  const read_ = await read(path, formats)
  if (!('sessions' in read_)) throw new Error(JSON.stringify(read_))
  return read_
}

/** A folder with a mapping and one file of lines or of a document. */
function folderOf(map: string, file: string, name = 'log.jsonl') {
  const folder = makeFolder({ 'profiles/formats/mine.yaml': map, [name]: file })
  return { path: join(folder, name), formats: workspaceFormats(openWorkspace(folder)), folder }
}

describe('[I140] a format of one’s own', () => {
  it('reads sessions, roles, times, calls and results by its paths', async () => {
    const { format, formatLabel, sessions } = await good(SHOP, formatOfFile(SHOP_MAP))
    expect({ format, formatLabel }).toEqual({
      format: 'own/shop-bot',
      formatLabel: 'Shop assistant log',
    })
    expect(sessions.map(({ id, title }) => [id, title])).toEqual([
      ['v-1', 'A lost parcel'],
      ['v-2', 'A refund'],
    ])
    const [first, second] = sessions
    expect(first?.events.map(({ kind, name, text }) => [kind, name, text])).toEqual([
      ['user', null, 'Where is my parcel?'],
      ['agent', null, 'I look it up.'],
      ['tool_call', 'find_parcel', '{"order":17}'],
      ['tool_result', 'find_parcel', 'in Bremen'],
      ['agent', null, 'It is in Bremen.'],
      ['meta', 'auditor', 'Checked.'],
    ])
    expect(first?.events.map(({ at }) => at)).toEqual(
      [0, 2, 2, 2, 5, 6].map((second_) => (1767225600 + second_) * 1000),
    )
    expect(first?.events[2]?.callId).toBe('a1')
    expect(first?.events[1]?.model).toBe('parcel-mini')
    expect(second?.events.at(-1)).toMatchObject({ kind: 'tool_result', isError: true })
  })

  it('loses one record for one that it cannot map, and says which path found nothing', async () => {
    const { problems, skipped } = await good(SHOP, formatOfFile(SHOP_MAP))
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [3, containing('"events.0.text" (@.said.text or @.said) finds nothing')],
      [
        4,
        containing(
          '"records" ($.turns[*]) finds no record: it has no "turns" (its fields: log, visit, entries)',
        ),
      ],
    ])
    expect(skipped).toMatchObject({ 'role heartbeat': 1 })
  })

  it('is recognised by its match in the workspace, after the formats that know the file', async () => {
    const map = `label: Mine
match: [{path: $.v, equals: 3}]
roles: {human: user}
events: [{role: '@.by', text: '@.words'}]
`
    const { path, formats } = folderOf(map, '{"v":3,"by":"human","words":"hello"}\n')
    expect((await good(path, formats)).format).toBe('own/mine')
    const known = folderOf(map, '{"v":3,"role":"user","content":"hello"}\n')
    expect((await good(known.path, known.formats)).format).toBe('openai-messages')
    const guessed = folderOf(map, '{"v":3,"by":"human","words":"a","from":"x","text":"b"}\n')
    expect((await good(guessed.path, guessed.formats)).format).toBe('own/mine')
  })

  it('reads every file that a person opens with it, whatever format knows it', async () => {
    const map = `label: Mine
events: [{kind: injected, text: '@.content'}]
`
    const { path, folder } = folderOf(map, '{"role":"user","content":"hello"}\n')
    const chosen = workspaceFormats(openWorkspace(folder), 'mine')
    const { format, sessions } = await good(path, chosen)
    expect(format).toBe('own/mine')
    expect(sessions[0]?.events[0]).toMatchObject({ kind: 'injected', text: 'hello' })
  })

  it('finds records in one document; those of one list are a session, ids may stand around them', async () => {
    const chats = JSON.stringify(
      {
        made: 1,
        chats: [
          {
            key: 'a',
            of: 'p',
            log: [
              { r: 'user', t: 'one' },
              { r: 'assistant', t: 'two' },
            ],
          },
          { key: 'b', log: [{ r: 'user', t: 'three' }] },
        ],
      },
      null,
      1,
    )
    const map = (more: string) => `label: Mine
match: [{path: '$.chats[0].key'}]
records: $.chats[*].log[*]
${more}events: [{role: '@.r', text: '@.t'}]
`
    const plain = folderOf(map(''), chats, 'chats.json')
    const without = await good(plain.path, plain.formats)
    expect(without.sessions.map(({ id, events }) => [id, events.length])).toEqual([
      ['session-1', 2],
      ['session-2', 1],
    ])
    const named = folderOf(map("session: '@^^.key'\nparent: '@^^.of'\n"), chats, 'chats.json')
    const withIds = await good(named.path, named.formats)
    expect(withIds.sessions.map(({ id, parent }) => [id, parent])).toEqual([
      ['a', 'p'],
      ['b', null],
    ])
  })

  it('takes items of a list, times as text, and content as the APIs write it', async () => {
    const map = `label: Mine
match: [{path: '$.kind2'}]
events: [{role: '@.kind2', text: '@.body', time: '@.t'}]
roles: {q: user, a: agent}
`
    const items = JSON.stringify([
      { kind2: 'q', body: 'go', t: '1767225600' },
      {
        kind2: 'a',
        body: [
          { type: 'text', text: 'I run it' },
          { type: 'tool_use', id: 'c', name: 'sh', input: { cmd: 'ls' } },
        ],
        t: '2026-01-01T00:00:05Z',
      },
      { kind2: 'a', body: [{ type: 'odd', n: 1 }] },
    ])
    const { path, formats } = folderOf(map, items, 'items.json')
    const { sessions } = await good(path, formats)
    expect(sessions[0]?.events.map(({ kind, text, at }) => [kind, text, at])).toEqual([
      ['user', 'go', 1767225600000],
      ['agent', 'I run it', 1767225605000],
      ['tool_call', '{"cmd":"ls"}', 1767225605000],
      ['agent', '{"type":"odd","n":1}', null],
    ])
  })
})

describe('[I143] a mapping that matches nothing', () => {
  it('says which path failed on which record, and where to correct it', async () => {
    const map = `label: Mine
match: [{path: $.id}]
records: $.data.turns[*]
events: [{kind: user, text: '@.text'}]
`
    const { path, formats } = folderOf(map, '\n{"id":1,"data":{"messages":[]}}\n')
    expect(await read(path, formats)).toEqual({
      what: 'the mapping "Mine" makes no event of this file: "records" ($.data.turns[*]) finds no record: "data" has no "turns" (its fields: messages)',
      where: `${path}, line 2`,
      do: 'Correct the path in profiles/formats/mine.yaml',
    })
  })

  it.each([
    ['$.a.b', '{"a":[{"b":1}]}', '"a" is a list: write [*] before ".b"'],
    ['$.a[*]', '{"a":"x"}', '"a" is a text, nothing stands in it'],
    ['$.a[3]', '{"a":[1]}', '"a" has 1 entries'],
    ['$^', '{"a":1}', 'nothing stands around the line, item or document'],
  ])('explains %s on %s', async (records, line, why) => {
    const map = `label: Mine\nmatch: [{path: $.a}]\nrecords: "${records}"\nevents: [{kind: user, text: '@.t'}]\n`
    const { path, formats } = folderOf(map, `${line}\n`)
    expect(await read(path, formats)).toMatchObject({ what: containing(why) })
  })
})

describe('[I144] a mapping file that is wrong', () => {
  it.each([
    [
      'label: A\nevents: [{kind: user, text: said}]\n',
      ':2',
      '"events.0.text.0": no path: a path begins with $',
    ],
    ['label: A\nevents: [{kind: user, text: "@..said"}]\n', ':2', 'two dots search all depths'],
    [
      'label: A\nroles: {human: person}\nevents: [{kind: user, text: "@.t"}]\n',
      ':2',
      '"roles.human" must be one of "user"',
    ],
    ['label: A\nevents: [{text: "@.t"}]\n', ':2', 'a text needs role'],
    [
      'label: A\nevents: [{kind: user}]\n',
      ':2',
      'an event needs one of text, tool, arguments and result',
    ],
    ['label: A\nlable: B\nevents: [{kind: user, text: "@.t"}]\n', ':1', 'unknown field "lable"'],
  ])('%j is named with file, line and field where a file is not known', async (map, line, what) => {
    const { path, formats } = folderOf(map, '{"who":"x"}\n')
    const failed = await read(path, formats)
    expect(failed).toMatchObject({
      do: containing(`profiles/formats/mine.yaml${line}`),
    })
    expect(failed).toMatchObject({ do: containing(what) })
  })

  it('does not keep files of known formats from opening', async () => {
    const { path, formats } = folderOf('label: [', '{"role":"user","content":"hi"}\n')
    expect((await good(path, formats)).format).toBe('openai-messages')
  })

  it('is refused where a person chose it', async () => {
    const { path, folder } = folderOf('label: A\n', '{"role":"user","content":"hi"}\n')
    const failed = await read(path, workspaceFormats(openWorkspace(folder), 'mine'))
    expect(failed).toMatchObject({
      what: '"events" is missing: a list belongs here',
      where: 'profiles/formats/mine.yaml:1:1',
    })
  })
})

describe('[I141] a mapping of a workspace that nobody trusts', () => {
  it('stops a line whose paths meet too many values, and reads the other lines', async () => {
    const map = `label: Mine
match: [{path: $.a}]
records: $.a[*]
events: [{kind: user, text: '$.a[*]'}]
`
    const many = JSON.stringify({ a: Array.from({ length: 30_000 }, (_, at) => at) })
    const { path, formats } = folderOf(map, `${many}\n{"a":["x"]}\n`)
    const { sessions, problems } = await good(path, formats)
    expect(problems).toMatchObject([
      { line: 1, message: containing('its paths meet too many values') },
    ])
    expect(sessions.at(-1)?.events.at(-1)?.text).toBe('x')
  })

  it('takes names of prototypes for names', async () => {
    const map = `label: Mine
match: [{path: $.a}]
events: [{role: '@.a', text: '@.constructor.name'}]
`
    const { path, formats } = folderOf(
      map,
      '{"a":"toString","b":1}\n{"a":"__proto__","constructor":{"name":"n"}}\n',
    )
    const { sessions, problems } = await good(path, formats)
    expect(problems).toHaveLength(1)
    expect(sessions[0]?.events.map(({ kind, name, text }) => [kind, name, text])).toEqual([
      ['meta', '__proto__', 'n'],
    ])
  })
})

async function preview(path: string, text: string) {
  const { signal } = new AbortController()
  return previewFormat({
    path,
    name: 'log.jsonl',
    text,
    shown: 'profiles/formats/mine.yaml',
    signal,
  })
}

describe('[I142] a preview', () => {
  it('has the first events, the fields that no path takes, roles without a row, and records that are lost', async () => {
    const text = await readText(SHOP_MAP)
    const seen = await preview(SHOP, text)
    expect(seen.events.map(({ session, kind, line }) => [session, kind, line]).slice(0, 3)).toEqual(
      [
        ['v-1', 'user', 1],
        ['v-1', 'agent', 1],
        ['v-1', 'tool_call', 1],
      ],
    )
    expect(seen.counts).toEqual({ records: 4, events: 9, sessions: 2 })
    expect(seen.whole).toBe(true)
    expect(seen.fields).toEqual([
      { path: '$.log', records: 4, example: 'shop-bot/2' },
      { path: '$.turns[*].mood', records: 1, example: 'impatient' },
      { path: '$.turns[*].note', records: 1, example: 'no speaker' },
      { path: '$.entries', records: 1, example: '[]' },
    ])
    expect(seen.roles).toEqual([{ role: 'auditor', records: 1 }])
    expect(seen.lost).toMatchObject([{ line: 3 }, { line: 4 }])
    expect(seen.skipped).toEqual({ 'role heartbeat': 1 })
    expect(seen.opens).toEqual({ how: 'own', label: 'Shop assistant log' })
  })

  it('says what is wrong with the text of a mapping, or which path found nothing', async () => {
    const broken = await preview(SHOP, 'label: A\nevents: [{kind: user, text: x}]\n')
    expect(broken.problem).toMatchObject({
      where: matching(/^profiles\/formats\/mine\.yaml:2:/u),
    })
    const lost = await preview(
      SHOP,
      "label: A\nrecords: $.entries[*]\nevents: [{kind: user, text: '@.x'}]\n",
    )
    expect(lost.problem?.what).toContain(
      '"records" ($.entries[*]) finds no record: it has no "entries"',
    )
    expect(lost.opens.how).toBe('none')
  })

  it('reads no more than the beginning of a large file', async () => {
    const line = '{"v":3,"by":"human","words":"hello"}\n'
    const { path } = folderOf('', line.repeat(50_000))
    const seen = await preview(
      path,
      "label: A\nroles: {human: user}\nevents: [{role: '@.by', text: '@.words'}]\n",
    )
    expect(seen.counts).toEqual({ records: 300, events: 300, sessions: 1 })
    expect(seen.whole).toBe(false)
    expect(seen.events).toHaveLength(10)
  })
})

describe('[I145] a mapping to begin with', () => {
  it.each([
    [
      'lines',
      '{"ts":1767225600,"speaker":"human","said":"hello","run_id":"r"}\n{"ts":1767225601,"speaker":"bot","said":"hi","run_id":"r"}\n',
      ['user', 'agent'],
      'r',
    ],
    [
      'records in lines',
      `${JSON.stringify({
        schema: 'x/1',
        conversation_id: 'c',
        steps: [
          { actor: 'customer', payload: { text: 'hello' } },
          { actor: 'assistant', payload: { text: 'hi' } },
        ],
      })}\n`,
      ['user', 'agent'],
      'c',
    ],
    [
      'a document',
      JSON.stringify(
        {
          app: 'x',
          data: {
            chats: [
              {
                turns: [
                  { who: 'guest', body: 'hello' },
                  { who: 'assistant', body: 'hi' },
                ],
              },
            ],
          },
        },
        null,
        1,
      ),
      ['user', 'agent'],
      'session-1',
    ],
    [
      'a list',
      JSON.stringify([
        { who: 'human', words: 'hello' },
        { who: 'system', words: 'hi' },
      ]),
      ['user', 'system'],
      'session-1',
    ],
  ])('of %s reads the file as it stands', async (_, file, kinds, id) => {
    const { path } = folderOf('', file)
    const started = await startFormat(path, 'log.jsonl')
    const seen = await preview(path, started.text)
    expect(seen.problem).toBeNull()
    expect(seen.events.map(({ kind }) => kind)).toEqual(kinds)
    expect(seen.events[0]).toMatchObject({ session: id, text: 'hello' })
    expect(seen.opens.how).not.toBe('none')
  })

  it.each(['', 'plain text\n', '{"a":1}\n', '[1,2]\n', '{"x":{"y":[{"z":"\\"#: \\n"}]}}\n'])(
    'of %j is a valid mapping all the same',
    async (file) => {
      const { path } = folderOf('', file)
      const { text } = await startFormat(path, 'x"y.jsonl')
      expect(parseDataFile(FormatMap, text, 'x.yaml')).toMatchObject({ ok: true })
    },
  )
})
