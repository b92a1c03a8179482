import { describe, expect, it } from 'vitest'
import { NO_TEXTS } from '../schema/event.ts'
import { aider } from './aider/importer.ts'
import { ccConsole } from './claude-code/console.ts'
import { makeHead } from './head.ts'
import { plainText, labelOf, styleOf } from './plain-text/importer.ts'
import { freshText } from './shared/drafts.ts'
import { createLog } from './shared/import-log.ts'
import { beginsAsJson } from './shared/line-blocks.ts'
import { pathsOf } from './shared/message-tree.ts'
import { createNames } from './shared/names.ts'
import type { Importer, Reader } from './source.ts'
import { specstory } from './specstory/importer.ts'
import { createToolSplit } from './specstory/tools.ts'
import { whatsapp } from './whatsapp/importer.ts'

function reading(importer: Importer): {
  readonly reader: Reader
  readonly give: (text: string) => void
} {
  const reader = importer.read(createLog(), NO_TEXTS)
  let offset = 0
  let line = 0
  const give = (text: string): void => {
    for (const value of text.split('\n')) {
      line += 1
      reader.take({ value, ref: { offset, length: value.length, line } })
      offset += value.length + 1
    }
  }
  return { reader, give }
}

/** Kind, name and text of all events. */
function said(reader: Reader): ReadonlyArray<ReadonlyArray<string | null>> {
  reader.tidy?.()
  return [...reader.drafts()].flatMap((session) =>
    session.events.map((event) => [event.kind, event.name, freshText(event)]),
  )
}

function events(importer: Importer, text: string): ReadonlyArray<ReadonlyArray<string | null>> {
  const { reader, give } = reading(importer)
  give(text)
  return said(reader)
}

describe('lines on their way to events', () => {
  it('[I46] the open block is shown when someone looks, and goes on afterwards', () => {
    const { reader, give } = reading(plainText)
    give('User: one\nAssistant: two')
    expect(said(reader)).toEqual([
      ['user', null, 'one'],
      ['agent', null, 'two'],
    ])
    expect(said(reader)).toHaveLength(2)
    give('and three\n\nUser: four')
    expect(said(reader)).toEqual([
      ['user', null, 'one'],
      ['agent', null, 'two\nand three'],
      ['user', null, 'four'],
    ])
    const places = [...reader.drafts()].flatMap((session) =>
      session.events.map((event) => event.source),
    )
    // Blank lines between two turns belong to neither.
    expect(places).toEqual([
      { offset: 0, length: 9, line: 1 },
      { offset: 10, length: 24, line: 2 },
      { offset: 36, length: 10, line: 5 },
    ])
  })

  it('[I43] what begins as JSON is no text; a time in brackets is', () => {
    expect(['{"a":1}', ' [1, 2]', '[\n{', '[]', '[-1,', '[null]'].every(beginsAsJson)).toBe(true)
    expect(
      ['[12:30] User: hi', '[User] hi', '[23/06/2018, 01:55] A: b', '# x'].some(beginsAsJson),
    ).toBe(false)
  })

  it('[I4] names that come twice are numbered', () => {
    const nameFor = createNames()
    expect([nameFor('a'), nameFor('a'), nameFor('b'), nameFor('__proto__')]).toEqual([
      'a',
      'a-2',
      'b',
      '__proto__',
    ])
  })
})

describe('aider', () => {
  const start = '# aider chat started at 2025-01-02 03:04:05\n\n'

  it('[I40] with blanks at line ends, headings and quotes of an answer are the answer’s', () => {
    const text = `${start}> Aider v1  \n\n#### do it  \n####  \n#### now  \n\nYes:\n\n#### Heading\n> quoted\n\n> Tokens: 1k sent  \n`
    expect(events(aider, text).slice(2)).toEqual([
      ['user', null, 'do it\n\nnow'],
      ['agent', null, 'Yes:\n\n#### Heading\n> quoted'],
      ['meta', 'tokens', 'Tokens: 1k sent'],
    ])
  })

  it('[I40] a blank line parts two messages; commands and echoed questions are no messages', () => {
    const text = `${start}> Aider v1  \n\n#### /drop  \n\n#### /ask why?  \n\n#### Run it? (Y)es/(N)o [Yes]: y  \n\n#### !ls  \n`
    expect(events(aider, text).slice(2)).toEqual([
      ['command', 'slash-command', '/drop'],
      ['user', null, '/ask why?'],
      ['command', 'confirmation', 'Run it? (Y)es/(N)o [Yes]: y'],
      ['command', 'shell-command', '!ls'],
    ])
  })

  it('[I40] two starts in one second are two sessions', () => {
    const { reader, give } = reading(aider)
    give(start + start)
    expect([...reader.drafts()].map((session) => session.id)).toEqual([
      'aider-2025-01-02-03-04-05',
      'aider-2025-01-02-03-04-05-2',
    ])
  })
})

describe('specstory', () => {
  it('[I41] a tool that was never closed ends at the next header', () => {
    const text = '_**Agent**_\n\n<tool-use data-tool-name="Read"><details>\nx\n\n_**User**_\n\nhi'
    expect(events(specstory, text)).toEqual([
      ['tool_call', 'Read', 'x'],
      ['user', null, 'hi'],
    ])
  })

  it.each([
    ['```bash\nls\n```\n\n```text\na\n```\nb\n```', '```bash\nls\n```', 'a\n```\nb'],
    ['Input: ```\nx\n```', 'Input: ```\nx\n```', null],
    ['Read file: `a`', 'Read file: `a`', null],
    ['```\nonly output\n```', '', 'only output'],
  ])('[I41] %j is a call and a result', (body, call, result) => {
    const lines = [
      '<tool-use data-tool-name="T"><details>',
      '<summary>Tool use: **T**</summary>',
      ...body.split('\n'),
      '</details></tool-use>',
    ]
    expect(createToolSplit(lines)).toEqual({ name: 'T', call, result, isError: false })
  })

  it('[I112] a closing tag inside the output of a tool does not end it', () => {
    const tool =
      '<tool-use data-tool-name="Read"><details>\n```text\na\n</details></tool-use>\nb\n```'
    expect(events(specstory, `_**Agent**_\n\n${tool}\n</details></tool-use>\n\nDone.`)).toEqual([
      ['tool_call', 'Read', ''],
      ['tool_result', 'Read', 'a\n</details></tool-use>\nb'],
      ['agent', null, 'Done.'],
    ])
  })
})

describe('console copies', () => {
  it('[I42] a bullet is a tool when it looks like a call or a result follows', () => {
    const text =
      '> hi\n\n⏺ I will look.\n\n⏺ Read(a.md)\n\n  ⎿  12 lines\n\n⏺ Update Todos\n\n  ⎿  ☐ one'
    expect(events(ccConsole, text)).toEqual([
      ['user', null, 'hi'],
      ['agent', null, 'I will look.'],
      ['tool_call', 'Read', 'a.md'],
      ['tool_result', 'Read', '12 lines'],
      ['tool_call', 'Update Todos', ''],
      ['tool_result', 'Update Todos', '☐ one'],
    ])
  })
})

describe('labels of plain text', () => {
  it.each([
    ['User: hi', 'colon', 'hi'],
    ['HUMAN:', 'colon', ''],
    ['[12:30:01] User: hi', 'colon', 'hi'],
    ['2026-01-02 10:00:00 Assistant: hi', 'colon', 'hi'],
    ['**User:** hi', 'bold', 'hi'],
    ['**User**: hi', 'bold', 'hi'],
    ['**You said:**', 'bold', ''],
    ['__Assistant:__ yes', 'bold', 'yes'],
    ['## User', 'heading', ''],
    ['### 🤖 Assistant:', 'heading', ''],
    ['#### ChatGPT said:', 'heading', ''],
    ['[USER] hi', 'bracket', 'hi'],
    ['<|im_start|>user', 'tag', ''],
    ['<|assistant|>', 'tag', ''],
    ['Q: why?', 'colon', 'why?'],
  ])('[I43] %j', (line, style, rest) => {
    expect(labelOf(line)).toMatchObject({ style, rest })
  })

  it.each([
    'Note: x',
    'user',
    '  User: x',
    'User:x',
    'https://a.b: c',
    '- User: x',
    '# A',
    'constructor: x',
    '__proto__: x',
  ])('[I43] %j is none', (line) => {
    expect(labelOf(line)).toBeNull()
  })

  it('[I43] a long line is searched at its beginning only, and keeps all of its text', () => {
    const long = 'x'.repeat(1_000_000)
    expect(labelOf(`User: ${long}`)?.rest).toHaveLength(1_000_000)
    expect(labelOf(`## User${' '.repeat(200)}x`)).toBeNull()
  })

  it('[I43] the style is the first in which both sides have spoken', () => {
    expect(styleOf(['**User:** Dana', '', '## Prompt:', 'x', '## Response:', 'y'])).toBe('heading')
    expect(styleOf(['User: a', 'User: b'])).toBeNull()
    expect(styleOf(['A sentence, and another one:', 'User: a', 'Assistant: b'])).toBeNull()
  })
})

describe('dated chats', () => {
  const at = (text: string): ReadonlyArray<number | null> => {
    const { reader, give } = reading(whatsapp)
    give(text)
    reader.tidy?.()
    return [...reader.drafts()].flatMap((session) => session.events.map((event) => event.at))
  }

  it('[I44] a day above twelve decides for the lines before it too', () => {
    expect(at('1/2/24, 10:00 - A: x\n1/22/24, 10:00 - A: y')[0]).toBe(Date.UTC(2024, 0, 2, 10))
    expect(at('1/2/24, 10:00 - A: x\n22/2/24, 10:00 - A: y')[0]).toBe(Date.UTC(2024, 1, 1, 10))
    expect(at('1/2/24, 10:00 - A: x')[0]).toBe(Date.UTC(2024, 1, 1, 10))
  })

  it('[I44] a look before that does not decide', () => {
    const { reader, give } = reading(whatsapp)
    give('1/2/24, 10:00 - A: x')
    reader.tidy?.()
    give('1/22/24, 10:00 - A: y')
    reader.tidy?.()
    const [session] = reader.drafts()
    expect(session!.events.map((event) => event.at)).toEqual([
      Date.UTC(2024, 0, 2, 10),
      Date.UTC(2024, 0, 22, 10),
    ])
  })

  it('[I44] noon and midnight', () => {
    expect(at('13/2/24, 12:05 AM - A: x\n13/2/24, 12:05 p.m. - A: y')).toEqual([
      Date.UTC(2024, 1, 13, 0, 5),
      Date.UTC(2024, 1, 13, 12, 5),
    ])
  })
})

describe('trees of messages', () => {
  const node = (id: string, parent: string | null): { id: string; parent: string | null } => ({
    id,
    parent,
  })

  it('[I45] the path to the live leaf, and each other path from where it leaves', () => {
    const nodes = [node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'b'), node('e', 'c')]
    const { live, left } = pathsOf(nodes, 'd')
    expect(live.map((each) => each.id)).toEqual(['a', 'b', 'd'])
    expect(left.map((path) => path.map((each) => each.id))).toEqual([['c', 'e']])
  })

  it('[I45] cycles, lost parents and unknown leaves lose no message', () => {
    const nodes = [node('a', 'b'), node('b', 'a'), node('c', 'gone'), node('d', 'd')]
    const { live, left } = pathsOf(nodes, 'nowhere')
    expect([...live, ...left.flat()].map((each) => each.id).toSorted()).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  it('[I45] a chain of 200,000 messages is walked once', () => {
    const nodes = Array.from({ length: 200_000 }, (_, at) =>
      node(`${at}`, at === 0 ? null : `${at - 1}`),
    )
    expect(pathsOf(nodes, null).live).toHaveLength(200_000)
  })
})

it('[I43] detection looks at content only', () => {
  const head = makeHead('User: a\n\nAssistant: b\n', true)
  expect([aider, specstory, ccConsole, whatsapp, plainText].map((row) => row.detect(head))).toEqual(
    [false, false, false, false, true],
  )
})
