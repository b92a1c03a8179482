import { expect, test } from 'vitest'
import type { Row } from '../../app/store.ts'
import { blamedFor, lineOf } from './wrong.ts'

const row = (marks: Row['marks']): Row => ({
  seq: 1,
  kind: 'user',
  name: null,
  callId: null,
  isError: false,
  model: null,
  at: null,
  line: 1,
  text: 'fix it',
  chars: 6,
  marks,
  quoted: [],
})

test('[U76] what is edited is a signal of the answer that matched, else the domain that is missing', () => {
  const marks = [
    { span: [0, 2] as const, domain: 'writing', signal: 4 },
    { span: [3, 5] as const, domain: 'coding', signal: 2 },
  ]
  expect(blamedFor(row(marks), 'coding', 'writing')).toEqual({
    kind: 'signal',
    domain: 'coding',
    index: 2,
  })
  expect(blamedFor(row([]), 'coding', 'writing')).toEqual({ kind: 'domain', domain: 'writing' })
})

test.each([
  ['domains:\n  - name: coding\n  - priority: 1\n    name: writing # texts\n', 'writing', 4],
  ['- name: "a b"\n', 'a b', 1],
  ['{ "domains": [\n{\n"name": "coding",', 'coding', 3],
  ['name: all\n', 'coding', 1],
])('[U76] the line of a domain in %j', (text, domain, line) =>
  expect(lineOf(text, domain)).toBe(line),
)
