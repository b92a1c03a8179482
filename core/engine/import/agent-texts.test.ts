import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align, logItem } from './agent-zero/align.ts'
import { unitsOf } from './agent-zero/history.ts'
import { splitModelText } from './agent-zero/text.ts'
import { splitAgentText, splitUserText } from './cline/tools.ts'
import { createCopies } from './shared/copies.ts'

describe('the two copies of a text', () => {
  it('[I11] the second is recognised on whichever side it comes', () => {
    const copies = createCopies<number>()
    copies.wait('event', 'hello', 1)
    expect(copies.take('item', ' hello\n')).toBe(1)
    expect(copies.take('item', 'hello')).toBeUndefined()
    copies.wait('item', 'bye', 2)
    expect(copies.take('event', 'bye')).toBe(2)
  })

  it('[I11] equal texts of one side are no copies', () => {
    const copies = createCopies<number>()
    copies.wait('item', 'ok', 1)
    expect(copies.take('item', 'ok')).toBeUndefined()
  })

  it('[I11] a text that waited for long has no copy', () => {
    const copies = createCopies<number>()
    for (let at = 0; at < 100; at += 1) copies.wait('event', `text ${at}`, at)
    expect(copies.take('item', 'text 0')).toBeUndefined()
    expect(copies.take('item', 'text 99')).toBe(99)
  })
})

describe('tools in XML', () => {
  it('[I17] text, thoughts and calls in order', () => {
    expect(
      splitAgentText(
        '<thinking>hm</thinking>I look.<read_file><path>a.ts</path></read_file> Done.',
      ),
    ).toEqual([
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'I look.' },
      { kind: 'call', name: 'read_file', args: { path: 'a.ts' } },
      { kind: 'text', text: 'Done.' },
    ])
  })

  it('[I17] the text of a file may hold tags of its own', () => {
    const file = '<content>x</content>\n<path>b</path>'
    const [call] = splitAgentText(
      `<write_to_file><path>a</path><content>\n${file}\n</content></write_to_file>`,
    )
    expect(call).toMatchObject({ args: { path: 'a', content: file } })
  })

  it('[I17] a tag that is not closed, or not a tool, is text', () => {
    for (const text of ['use <read_file> here', '<b>bold</b>', 'a < b'])
      expect(splitAgentText(text)).toEqual([{ kind: 'text', text }])
  })

  it('[I17] a hundred thousand openers do not take square time', () => {
    const text = '<read_file><path>'.repeat(100_000)
    expect(splitAgentText(text)).toHaveLength(1)
    expect(splitUserText('<environment_details>'.repeat(50_000)).length).toBeGreaterThan(0)
    expect(splitAgentText(`<read_file>${'<path>'.repeat(50_000)}</read_file>`)).toHaveLength(1)
  })

  it('[I17] what was typed in a result is the person’s, the result is not', () => {
    const text =
      "[execute_command for 'npm test'] Result:\nThe user denied it.\n<feedback>\nno\n</feedback>\n<environment_details>e</environment_details>"
    expect(splitUserText(text)).toEqual([
      { kind: 'result', name: 'execute_command', text: 'The user denied it.' },
      { kind: 'typed', text: 'no' },
      { kind: 'environment', text: '<environment_details>e</environment_details>' },
    ])
  })

  it('[I9] [I17] no word of a text under the user’s role is lost', () => {
    const piece = fc.constantFrom(
      '<task>',
      '</task>',
      '<environment_details>',
      '</environment_details>',
      'word',
      '[read_file] Result:',
      '\n',
      '</feedback>',
      '<feedback>',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const words = (text: string): number => text.split('word').length - 1
        const kept = splitUserText(pieces.join(' ')).reduce(
          (sum, part) => sum + words(part.text),
          0,
        )
        expect(kept).toBe(words(pieces.join(' ')))
      }),
    )
  })
})

describe('the model’s text of Agent Zero', () => {
  const call = {
    thoughts: ['one', 'two'],
    headline: 'Head',
    tool_name: 'search',
    tool_args: { q: 1 },
  }
  const json = JSON.stringify(call)

  it.each([
    ['plain', json],
    ['fenced', `\`\`\`json\n${json}\n\`\`\``],
    ['with raw line breaks', json.replace('"two"', '"t\nwo"').replace('t\nwo', 't\nwo')],
    ['with a second object after it', `${json}\n${json.slice(0, 20)}`],
  ])('[I18] %s is thoughts and a call', (_name, raw) => {
    const said = splitModelText(raw)
    expect(said[0]).toMatchObject({
      kind: 'reasoning',
      text: expect.stringContaining('Head\none') as string,
    })
    expect(said.at(-1)).toEqual({ kind: 'tool_call', text: '{"q":1}', name: 'search' })
  })

  it('[I18] words around it are the agent’s', () => {
    const said = splitModelText(`First. ${json} Last.`)
    expect(said[1]).toEqual({ kind: 'agent', text: 'First. \n Last.', name: null })
  })

  it('[I18] the response tool says its text', () => {
    const raw = JSON.stringify({ tool_name: 'response', tool_args: { text: 'Hello' } })
    expect(splitModelText(raw)).toEqual([{ kind: 'agent', text: 'Hello', name: 'response' }])
  })

  it('[I18] what cannot be read is the agent’s text as it stands', () => {
    for (const raw of ['no json', '{"thoughts": [', '{"a":1}', '{{{', '}{'])
      expect(splitModelText(raw)).toEqual([{ kind: 'agent', text: raw, name: null }])
  })

  it('[I18] never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(80), (junk, at) => {
        splitModelText(`${json.slice(0, at)}${junk}${json.slice(at)}`)
      }),
    )
  })
})

describe('history and log of Agent Zero', () => {
  const skip = (): void => undefined
  const message = (ai: boolean, content: unknown, id?: string): unknown => ({
    _cls: 'Message',
    ai,
    content,
    summary: '',
    id,
  })
  const history = (...messages: readonly unknown[]): unknown => ({ current: { messages } })
  const line = (type: string, content: string, id: string | null = null): unknown => ({
    type,
    content,
    id,
    timestamp: 1,
  })
  const shape = (pairs: ReturnType<typeof align>): unknown =>
    pairs.map(({ unit, item }) => [unit?.text ?? null, item?.text ?? null])

  it('[I18] messages meet their lines by text, results by order between them', () => {
    const units = unitsOf(
      history(
        message(false, { user_message: 'hi' }),
        message(true, 'A'),
        message(false, { tool_name: 't', tool_result: 'r' }),
        message(true, 'B'),
      ),
      skip,
    )
    const items = [
      line('user', 'hi'),
      line('agent', 'A'),
      line('util', 'u'),
      line('tool', 'shown r'),
      line('agent', 'B'),
    ].map(logItem)
    expect(shape(align(units, items))).toEqual([
      ['hi', 'hi'],
      ['A', 'A'],
      [null, 'u'],
      ['r', 'shown r'],
      ['B', 'B'],
    ])
  })

  it('[I18] a log that lost its beginning is aligned at its end', () => {
    const units = unitsOf(
      history(
        message(false, { user_message: 'go on' }),
        message(true, 'A'),
        message(false, { user_message: 'go on' }),
        message(true, 'B'),
      ),
      skip,
    )
    const items = [line('user', 'go on'), line('agent', 'B')].map(logItem)
    expect(shape(align(units, items))).toEqual([
      ['go on', null],
      ['A', null],
      ['go on', 'go on'],
      ['B', 'B'],
    ])
  })

  it('[I18] ids come before texts', () => {
    const units = unitsOf(history(message(false, { user_message: 'full text' }, 'x')), skip)
    expect(shape(align(units, [logItem(line('user', '<< hidden >>', 'x'))]))).toEqual([
      ['full text', '<< hidden >>'],
    ])
  })

  it('[I18] what was compacted away stands before the summary that replaced it', () => {
    const units = unitsOf(
      history(
        message(false, { user_message: 'hi' }),
        message(false, { messages_summary: 'S' }),
        message(true, 'Z'),
      ),
      skip,
    )
    const items = [
      line('user', 'hi'),
      line('agent', 'lost'),
      line('tool', 'gone'),
      line('agent', 'Z'),
    ].map(logItem)
    expect(shape(align(units, items))).toEqual([
      ['hi', 'hi'],
      [null, 'lost'],
      [null, 'gone'],
      ['', null],
      ['Z', 'Z'],
    ])
  })

  it('[I18] [I9] each message and each line is in the sequence once, in its own order', () => {
    const kinds = fc.constantFrom('user', 'agent', 'tool', 'util', 'warning')
    const word = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, word)), fc.array(fc.tuple(kinds, word)), (log, said) => {
        const messages = said.map(([kind, text], at) => {
          if (kind === 'agent') return message(true, text)
          if (kind === 'user') return message(false, { user_message: text })
          return message(false, { tool_name: String(at), tool_result: text })
        })
        const units = unitsOf(history(...messages), skip)
        const items = log.map(([kind, text]) => logItem(line(kind, text)))
        const pairs = align(units, items)
        expect(pairs.flatMap(({ unit }) => (unit === null ? [] : [unit]))).toEqual(units)
        expect(pairs.flatMap(({ item }) => (item === null ? [] : [item]))).toEqual(items)
      }),
    )
  })

  it('[I5] [I18] a history nested without end costs what is too deep', () => {
    let node: unknown = message(true, 'deep')
    for (let at = 0; at < 10_000; at += 1) node = { records: [node] }
    expect(unitsOf(node, skip)).toEqual([])
  })
})
