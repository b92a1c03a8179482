import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_TEXTS } from '../schema/event.ts'
import { createBranches } from './claude-code/branches.ts'
import { claudeCode } from './claude-code/importer.ts'
import { cline } from './cline/importer.ts'
import { geminiCli } from './gemini-cli/importer.ts'
import { createSlots } from './gemini-cli/slots.ts'
import {
  draft,
  freshText,
  sessionDraft,
  type EventDraft,
  type SessionDraft,
} from './shared/drafts.ts'
import { createLog } from './shared/import-log.ts'
import { createTree } from './shared/record-tree.ts'

function event(text: string, at: number, kind: 'user' | 'agent' = 'agent'): EventDraft {
  return draft(kind, text, { at: null, model: null, source: { offset: at, length: 1, line: 1 } })
}

function texts(session: SessionDraft | undefined): readonly string[] {
  return session?.events.map(freshText) ?? []
}

describe('a tree of records', () => {
  it('[I16] the path to the last record is live, each path that was left is a session', () => {
    const main = sessionDraft('s')
    const tree = createTree(main)
    const add = (id: string, parent: string | null): void => {
      tree.add(id, parent, [event(id, 0)])
    }
    for (const [id, parent] of ['a:', 'b:a', 'c:b', 'd:a', 'e:d', 'f:c'].map((s) => s.split(':')))
      add(id!, parent === '' ? null : parent!)
    tree.tidy()
    expect(texts(main)).toEqual(['a', 'b', 'c', 'f'])
    expect(tree.branches().map((one) => [one.thread, one.parent, texts(one)])).toEqual([
      ['branch-1', 's', ['d', 'e']],
    ])
  })

  it('[I16] a parent that is not in the file is the record before', () => {
    const main = sessionDraft('s')
    const tree = createTree(main)
    tree.add('a', 'lost', [event('a', 0)])
    tree.add('b', 'lost too', [event('b', 0)])
    tree.add('c', undefined, [event('c', 0)])
    tree.tidy()
    expect(texts(main)).toEqual(['a', 'b', 'c'])
    expect(tree.branches()).toEqual([])
  })

  it('[I16] [I9] whatever the links are, each event is in one session, in file order, however often it is put in order', () => {
    const link = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd', null),
      fc.constantFrom('a', 'b', 'c', 'x', null),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(link, fc.boolean()), { maxLength: 40 }), (links) => {
        const main = sessionDraft('s')
        const tree = createTree(main)
        for (const [at, [[id, parent], tidy]] of links.entries()) {
          tree.add(id, parent, [event(String(at), at)])
          if (tidy) tree.tidy()
        }
        tree.tidy()
        const all = [main, ...tree.branches()]
        for (const session of all) {
          const numbers = texts(session).map(Number)
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        }
        expect(all.flatMap(texts).toSorted()).toEqual(links.map((_, at) => String(at)).toSorted())
        if (links.length > 0) expect(texts(main)).toContain(String(links.length - 1))
      }),
    )
  })
})

describe('edited and rewound prompts', () => {
  interface Row {
    readonly parent: number
    readonly prompt: boolean
    readonly between: boolean
  }
  const build = (rows: readonly Row[], tidyAfter: readonly boolean[] = []) => {
    const session = sessionDraft('s')
    const branches = createBranches()
    for (const [at, row] of rows.entries()) {
      const events = [event(String(at), at, row.prompt ? 'user' : 'agent')]
      session.events.push(...events)
      branches.add({ ...row, session, events, root: false, boundary: false })
      if (tidyAfter[at] === true) branches.part()
    }
    return { left: branches.part(), session }
  }
  const said = (parent: number): Row => ({ parent, prompt: false, between: false })
  const prompt = (parent: number): Row => ({ parent, prompt: true, between: false })
  const note = (parent: number): Row => ({ parent, prompt: false, between: true })

  it('[I14] parallel calls and progress lines are no forks', () => {
    const { session, left } = build([prompt(-1), said(0), said(1), said(1), note(1), said(3)])
    expect(left).toEqual([])
    expect(session.events).toHaveLength(6)
  })

  it('[I14] a prompt beside another one is a fork, bookkeeping between them aside', () => {
    const { session, left } = build([
      prompt(-1),
      said(0),
      note(1),
      prompt(2),
      said(3),
      prompt(1),
      said(5),
    ])
    expect(texts(session)).toEqual(['0', '1', '2', '5', '6'])
    expect(left.map((one) => [one.thread, texts(one)])).toEqual([['branch-1', ['3', '4']]])
  })

  it('[I14] the live branch is that of the last record, not that of the last prompt', () => {
    const { session, left } = build([
      prompt(-1),
      said(0),
      prompt(1),
      said(2),
      prompt(1),
      said(4),
      said(3),
    ])
    expect(texts(session)).toEqual(['0', '1', '2', '3', '6'])
    expect(left.map(texts)).toEqual([['4', '5']])
  })

  it('[I14] prompts without a parent are beginnings, not forks', () => {
    expect(build([prompt(-1), said(0), prompt(-1), said(2)]).left).toEqual([])
  })

  it('[I14] [I9] each event is in one session, and order does not depend on when it was looked at', () => {
    const rows = fc.array(fc.tuple(fc.nat(30), fc.boolean(), fc.boolean(), fc.boolean()), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(rows, (given) => {
        const links = given
          .map(([back, isPrompt, between], at): Row => {
            return { parent: at - 1 - back, prompt: isPrompt, between: between && !isPrompt }
          })
          .map((row) => ({ ...row, parent: Math.max(-1, row.parent) }))
        const once = build(links)
        const often = build(
          links,
          given.map(([, , , tidy]) => tidy),
        )
        const shape = ({ session, left }: typeof once): unknown => [session, ...left].map(texts)
        expect(shape(often)).toEqual(shape(once))
        const all = [once.session, ...once.left].flatMap(texts)
        expect(all.toSorted()).toEqual(links.map((_, at) => String(at)).toSorted())
      }),
    )
  })
})

describe('messages that are written again', () => {
  it('[I15] the last writing counts, at the place of the first', () => {
    const main = sessionDraft('s')
    const slots = createSlots(main, NO_TEXTS)
    slots.put('a', [event('half', 0)])
    slots.put('b', [event('other', 1)])
    expect(slots.put('a', [event('whole', 2), event('call', 2)])).toBe('again')
    slots.tidy()
    expect(texts(main)).toEqual(['whole', 'call', 'other'])
  })

  it('[I15] a rewind takes the message and all after it; the branch is kept', () => {
    const main = sessionDraft('s')
    const slots = createSlots(main, NO_TEXTS)
    for (const id of ['a', 'b', 'c']) slots.put(id, [event(id, 0)])
    expect(slots.rewind('b')).toBe(true)
    expect(slots.rewind('b')).toBe(false)
    slots.put('b', [event('b again', 3)])
    slots.tidy()
    expect(texts(main)).toEqual(['a', 'b again'])
    expect(slots.branches().map((one) => [one.thread, one.parent, texts(one)])).toEqual([
      ['branch-1', 's', ['b', 'c']],
    ])
  })
})

describe('a stream of pieces', () => {
  it('[I15] pieces of one message are one event, also while it grows', () => {
    const reader = geminiCli.read(createLog(), NO_TEXTS)
    const take = (value: unknown): void => {
      reader.take({ value, ref: { offset: 0, length: 1, line: 1 } })
    }
    const piece = (content: string): unknown => ({
      type: 'message',
      role: 'assistant',
      content,
      delta: true,
    })
    const said = (): readonly string[] => {
      reader.tidy?.()
      return [...reader.drafts()].flatMap(texts)
    }
    take(piece('one '))
    expect(said()).toEqual(['one '])
    take(piece('two'))
    expect(said()).toEqual(['one two'])
    take({ type: 'tool_use', tool_name: 'count', tool_id: 'c', parameters: {} })
    take(piece('three'))
    expect(said()).toEqual(['one two', '{}', 'three'])
  })
})

describe('a stream with records of a chat in it', () => {
  const piece = { type: 'message', role: 'assistant', delta: true }
  const rows: readonly unknown[] = [
    { type: 'message', role: 'user', content: 'ask' },
    { ...piece, content: 'one ' },
    { role: 'model', content: 'between', id: 'm' },
    { ...piece, content: 'two ' },
    { role: 'model', content: 'between again', id: 'm' },
    { ...piece, content: 'three' },
    { $rewindTo: 'unknown' },
    { ...piece, content: 'four' },
  ]

  it('[I5] [I15] nothing is lost, in file order, whenever it is looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (looks) => {
        const reader = geminiCli.read(createLog(), NO_TEXTS)
        for (const [at, value] of rows.entries()) {
          reader.take({ value, ref: { offset: at, length: 1, line: at + 1 } })
          if (looks[at] === true) reader.tidy?.()
        }
        reader.tidy?.()
        expect([...reader.drafts()].flatMap(texts)).toEqual([
          'ask',
          'one ',
          'between again',
          'two ',
          'three',
          'four',
        ])
      }),
    )
  })
})

describe('files that belong together', () => {
  it('[I14] agents in the folder of the session and beside it, not those of another session', () => {
    const near = [
      'a.jsonl',
      'b.jsonl',
      'agent-1.jsonl',
      'a/subagents/agent-2.jsonl',
      'b/subagents/agent-3.jsonl',
      'a/subagents/agent-2.meta.json',
    ]
    expect(claudeCode.companions?.('a.jsonl', near)).toEqual([
      'agent-1.jsonl',
      'a/subagents/agent-2.jsonl',
    ])
    expect(claudeCode.companions?.('agent-1.jsonl', near)).toEqual([])
  })

  it('[I15] sub-agents in the folder named by the session’s id', () => {
    const near = ['0a1b2c3d-aaaa/sub.jsonl', '99999999-aaaa/sub.jsonl', 'session-x-0a1b2c3d.jsonl']
    expect(geminiCli.companions?.('session-2026-05-04T18-00-0a1b2c3d.jsonl', near)).toEqual([
      near[0],
    ])
  })

  it('[I17] the two halves of a task', () => {
    const near = ['task_metadata.json', 'ui_messages.json', 'api_conversation_history.json']
    expect(cline.companions?.('ui_messages.json', near)).toEqual(['api_conversation_history.json'])
    expect(cline.companions?.('anything.json', near)).toEqual([])
  })
})
