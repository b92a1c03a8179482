import { expect, test } from 'vitest'
import { editDomainText } from './draft-edit.ts'

const DOMAINS = `domains: # ours
  - name: git_ops
    signals:
      - id: commit
        pattern: commit
`
const add = {
  kind: 'add' as const,
  domain: 'git_ops',
  pattern: 'squash',
  id: 'squash',
  note: 'why',
  madeFrom: ['owner/repo', 'a'],
}
const after = (text: string) => {
  const edited = editDomainText(text, add)
  return edited.ok ? edited.value : edited.error.what
}
const ADDED = `      - id: squash
        pattern: 'squash'
        note: 'why'
`

test('[L101] a signal from labels brings its sources along; all other bytes stay', () => {
  expect(after(`# head\n${DOMAINS}`)).toBe(
    `# head\nmadeFrom: ["a","owner/repo"]\n${DOMAINS}${ADDED}`,
  )
})

test('[L101] sources join those that are there, each once, in any form of list', () => {
  expect(after(`madeFrom: [b, a] # these\n${DOMAINS}`)).toBe(
    `madeFrom: ["b","a","owner/repo"] # these\n${DOMAINS}${ADDED}`,
  )
  const lines = 'madeFrom: # of last year\n  - b # first\n'
  const more = '  - "a"\n  - "owner/repo"\n'
  expect(after(`${lines}${DOMAINS}`)).toBe(`${lines}${more}${DOMAINS}${ADDED}`)
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  expect(after(crlf(`${lines}${DOMAINS}`))).toContain(crlf(`${lines}${more}${DOMAINS}`))
  const known = `madeFrom: [a, owner/repo]\n${DOMAINS}`
  expect(after(known)).toBe(`${known}${ADDED}`)
  const json = '{"domains":[{"name":"git_ops","signals":["commit"]}]}'
  expect(JSON.parse(after(json))).toMatchObject({ madeFrom: ['a', 'owner/repo'] })
})
