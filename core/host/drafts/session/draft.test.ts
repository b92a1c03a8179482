import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../../fixtures/any-character.ts'
import { casesOf } from '../../../../fixtures/cases.ts'
import { REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { editDomainText } from './draft-edit.ts'
import type { DraftEdit } from './expected-edit.ts'
import { createBlockCache, readPieces, whole } from '../../workspace/domains/domain-pieces.ts'
import { readDomainText } from '../../workspace/domains/domain-text.ts'

const SMALL = readFileSync(join(REPOSITORY, 'fixtures/lab/domains.yaml'), 'utf8')
const DEFAULT = readFileSync(join(REPOSITORY, 'profiles/domains/default.yaml'), 'utf8')

/** Lines that differ, by the text that both have around them. */
function changedLines(before: string, after: string) {
  const a = before.split('\n')
  const b = after.split('\n')
  let head = 0
  while (head < a.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) {
    tail += 1
  }
  return { removed: a.slice(head, a.length - tail), added: b.slice(head, b.length - tail) }
}

const edit = (text: string, change: DraftEdit) =>
  changedLines(text, valueOf(editDomainText(text, change)))

test('[T45] an edit changes the lines of its value and no other byte', () => {
  const pattern = { kind: 'pattern', domain: 'bugfix' } as const
  expect(edit(SMALL, { ...pattern, signal: 0, pattern: "it's" })).toEqual({
    removed: ["        pattern: '\\bcrash(?:es|ed)?\\b'"],
    added: ["        pattern: 'it''s'"],
  })
  expect(edit(SMALL, { ...pattern, signal: 1, pattern: '\\bpanic\\b' })).toEqual({
    removed: ['        pattern: "\\\\btrace\\\\s?back\\\\b"'],
    added: ['        pattern: "\\\\bpanic\\\\b"'],
  })
  const roadmap = { kind: 'pattern', domain: 'planning', signal: 1, pattern: 'x' } as const
  expect(edit(SMALL, roadmap).added).toEqual(["        pattern: 'x'   # rare"])
  const plan = { kind: 'pattern', domain: 'planning', signal: 0, pattern: '#plan' } as const
  expect(edit(SMALL, plan).added).toEqual(["        pattern: '#plan'"])
})

test('[T45] signals are added and removed where they belong, in block and in flow style', () => {
  const add = { kind: 'add', pattern: '\\bbug\\b' } as const
  expect(edit(SMALL, { ...add, domain: 'bugfix', id: 'bug' })).toEqual({
    removed: [],
    added: ['      - id: bug', "        pattern: '\\bbug\\b'"],
  })
  const noted = { ...add, domain: 'bugfix', id: 'bug', note: "proposed: it's 3 : 0" }
  expect(edit(SMALL, noted).added).toEqual([
    '      - id: bug',
    "        pattern: '\\bbug\\b'",
    "        note: 'proposed: it''s 3 : 0'",
  ])
  expect(edit(SMALL, { ...noted, domain: 'git_ops' }).added).toEqual([
    `    signals: ['\\bcommit\\b', '\\brebase\\b', { "id": "bug", "pattern": "\\\\bbug\\\\b", "note": "proposed: it's 3 : 0" }]`,
  ])
  expect(edit(SMALL, { ...add, domain: 'git_ops', id: null }).added).toEqual([
    `    signals: ['\\bcommit\\b', '\\brebase\\b', "\\\\bbug\\\\b"]`,
  ])
  expect(edit(SMALL, { ...add, domain: 'conversation', id: null }).added).toEqual([
    '    signals: ["\\\\bbug\\\\b"]',
  ])
  expect(edit(SMALL, { kind: 'remove', domain: 'bugfix', signal: 1 })).toEqual({
    removed: ['      - id: traceback', '        pattern: "\\\\btrace\\\\s?back\\\\b"'],
    added: [],
  })
  expect(edit(SMALL, { kind: 'remove', domain: 'git_ops', signal: 0 }).added).toEqual([
    "    signals: ['\\brebase\\b']",
  ])
})

test('[T45] numbers of a domain are set, added and taken away', () => {
  const bugfix = { domain: 'bugfix' } as const
  expect(edit(SMALL, { ...bugfix, kind: 'priority', priority: 7 })).toEqual({
    removed: ['    priority: 1'],
    added: ['    priority: 7'],
  })
  expect(edit(SMALL, { ...bugfix, kind: 'minSignals', value: 2 })).toEqual({
    removed: [],
    added: ['    minSignals: 2'],
  })
  expect(edit(SMALL, { ...bugfix, kind: 'breakMinSignals', value: null }).added).toEqual([
    '    breakMinSignals: null',
  ])
  const with2 = valueOf(editDomainText(SMALL, { ...bugfix, kind: 'minSignals', value: 2 }))
  expect(editDomainText(with2, { ...bugfix, kind: 'minSignals', value: null })).toEqual({
    ok: true,
    value: SMALL,
  })
  expect(editDomainText(SMALL, { kind: 'priority', domain: 'none', priority: 1 }).ok).toBe(false)
})

test('[T45] any pattern can be put in the place of any other of the shipped file', () => {
  const file = readDomainText(DEFAULT, createBlockCache()).value
  const places = file!.domains.flatMap(({ name, signals }) =>
    signals.map((_, signal) => ({ domain: name, signal })),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.string({ minLength: 1, unit: anyCharacter }),
      (place, pattern) => {
        const { removed, added } = edit(DEFAULT, { kind: 'pattern', ...place, pattern })
        expect(removed.length).toBeLessThanOrEqual(1)
        expect(added.length).toBe(removed.length)
      },
    ),
    casesOf('drafts: any pattern'),
  )
})

test('[T42] reading block by block means what reading the whole text means', () => {
  const cache = createBlockCache()
  const insertions = [
    '#',
    "'",
    '"',
    ':',
    '- ',
    '\n',
    '  ',
    '&a ',
    '*a',
    '[',
    'x',
    '\n  - name: y\n    signals: []',
    '---\n',
    'é',
  ]
  const meaning = (pieces: ReturnType<typeof whole>) =>
    pieces.errors.length > 0
      ? 'broken'
      : JSON.stringify(pieces.items.map(({ node, document }) => node?.toJS(document) as unknown))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(SMALL.length), fc.constantFrom(...insertions)), {
        minLength: 1,
        maxLength: 3,
      }),
      (changes) => {
        let text = SMALL
        for (const [at, what] of changes) text = text.slice(0, at) + what + text.slice(at)
        expect(meaning(readPieces(text, cache))).toBe(meaning(whole(text)))
      },
    ),
    casesOf('drafts: edits'),
  )
})

test('[T42] a list behind a document separator is not read by itself', () => {
  const text = SMALL.replace('domains:', '---\ndomains:').replace('signals:', 's#ignals:')
  expect(readPieces(text, createBlockCache()).items).toHaveLength(whole(text).items.length)
})

test('[T42] problems stand where the mistake is', () => {
  const at = (text: string) =>
    readDomainText(text, createBlockCache()).problems.map(
      ({ rule, line, column, domain, signal }) => [rule, line, column, domain, signal],
    )
  expect(at(SMALL.replace('priority: 3', 'priority: high'))).toEqual([
    ['schema', 17, 15, 'planning', null],
  ])
  expect(at(SMALL.replace('note:', 'notes:'))).toEqual([['schema', 11, 9, 'bugfix', 0]])
  expect(at(SMALL.replace('name: planning', 'name: bugfix'))).toEqual([
    ['schema', 16, 11, 'bugfix', null],
  ])
  expect(at(SMALL.replace("'\\bcommit\\b',", "'\\bcommit\\b"))[0]?.slice(0, 1)).toEqual(['syntax'])
  expect(at(SMALL)).toEqual([])
})

test('[T42] a place in a pattern is the place in the file', () => {
  const text = readDomainText(SMALL, createBlockCache())
  const charAt = (domain: number, signal: number, column: number) => {
    const place = text.place(domain, signal, column)
    return SMALL.split('\n')[place.line - 1]?.[place.column - 1]
  }
  expect(charAt(0, 0, 3)).toBe('c')
  // Two source characters represent one pattern character.
  expect(charAt(0, 1, 3)).toBe('t')
  expect(charAt(1, 0, 3)).toBe('p')
})
