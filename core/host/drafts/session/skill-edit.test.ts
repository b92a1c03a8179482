import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONFIG, makeFolder, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { openedGate } from '../../../../fixtures/trust.ts'
import { createSides } from '../sides.ts'
import { readSkillText } from '../../workspace/domains/skill-text.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { createDraftHandlers } from './handlers.ts'
import { editDomainText } from './draft-edit.ts'
import type { DraftEdit } from './expected-edit.ts'

const FOLDER = join(REPOSITORY, 'fixtures/skills/.claude/skills')
const TEXT = readFileSync(join(FOLDER, 'skill-rules.json'), 'utf8')

/** The removed and the added text, without the common text around them. */
function changed(change: DraftEdit, before = TEXT): readonly [string, string] {
  const after = valueOf(editDomainText(before, change))
  let head = 0
  while (head < before.length && before[head] === after[head]) head += 1
  let tail = 0
  const most = Math.min(before.length, after.length) - head
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
}

test('[K18] an edit changes the bytes of its trigger and no others', () => {
  const api = { domain: 'api-guidelines' } as const
  expect(changed({ kind: 'pattern', ...api, signal: 1, pattern: 'webhook' })).toEqual([
    'endpoint',
    'webhook',
  ])
  expect(changed({ kind: 'pattern', ...api, signal: 4, pattern: '"x"\\s' })).toEqual([
    // Both begin with a backslash.
    String.raw`\bfix\\b.*?\\bstatus code\\b`,
    String.raw`"x\"\\s`,
  ])
  expect(changed({ kind: 'remove', ...api, signal: 1 })[1]).toBe('')
  const [gone, there] = changed({ kind: 'remove', ...api, signal: 3 })
  expect(there).toBe('')
  expect(gone).toContain('(create|add|implement)')
  expect(gone).not.toContain('work that is new')
})

test('[K18] a signal that is added is an intent pattern, in the list or in a new one', () => {
  const add = { kind: 'add', pattern: '\\bx\\b', id: null } as const
  expect(changed({ ...add, domain: 'testing' })).toEqual(['', String.raw`, "\\bx\\b"`])
  const [, inLines] = changed({ ...add, domain: 'api-guidelines' })
  expect(inLines).toBe(`,\n          ${JSON.stringify(add.pattern)}`)
  const [, own] = changed({ ...add, domain: 'docs' })
  expect(own).toContain(String.raw`intentPatterns": ["\\bx\\b"], "`)
})

test('[K18] what skill rules have no place for is refused, and so is an edit that would mean something else', () => {
  const refused = (change: DraftEdit, text = TEXT) => editDomainText(text, change)
  expect(refused({ kind: 'priority', domain: 'docs', priority: 2 })).toMatchObject({
    error: { what: 'skill rules have no place for this' },
  })
  expect(refused({ kind: 'remove', domain: 'nobody', signal: 0 }).ok).toBe(false)
  expect(refused({ kind: 'remove', domain: 'docs', signal: 9 }).ok).toBe(false)
})

function makeWorkspace() {
  const root = makeFolder()
  mkdirSync(join(root, '.claude'), { recursive: true })
  cpSync(FOLDER, join(root, '.claude/skills'), { recursive: true })
  const workspace = openWorkspace(root, REPOSITORY, openedGate().place)
  const sides = createSides(workspace)
  return { root, workspace, sides, drafts: createDraftHandlers(workspace, sides, () => 1) }
}

const config = { ...CONFIG, domains: 'skill-rules' }
const { signal } = new AbortController()
const waiting = { signal } as never

test('[K19] the workspace’s own rules are listed with the domain files and saved where they lie', async () => {
  const { root, workspace, drafts } = makeWorkspace()
  const listed = await workspace.list('domains')
  expect(listed.find(({ name }) => name === 'skill-rules')?.shown).toBe(
    '.claude/skills/skill-rules.json',
  )
  const loaded = await drafts['draft.load']({ config }, waiting)
  expect(loaded).toMatchObject({
    text: TEXT,
    file: '.claude/skills/skill-rules.json',
    writable: true,
  })
  const edit = { kind: 'pattern', domain: 'docs', signal: 0, pattern: 'guide' } as const
  const { text } = await drafts['draft.edit']({ text: TEXT, edit }, waiting)
  const { fingerprint } = loaded
  await drafts['draft.save']({ config, text, fingerprint }, waiting)
  const saved = readFileSync(join(root, '.claude/skills/skill-rules.json'), 'utf8')
  expect(saved).toBe(TEXT.replace('readme', 'guide'))
  expect(readSkillText(saved).value?.domains.at(-1)?.signals[0]).toMatchObject({ pattern: 'guide' })
})

test('[K19] a draft that is no skill rules any more is not saved', async () => {
  const { drafts } = makeWorkspace()
  const { fingerprint } = await drafts['draft.load']({ config }, waiting)
  const text = TEXT.replace('"high"', '"higher"')
  await expect(drafts['draft.save']({ config, text, fingerprint }, waiting)).rejects.toThrow(
    /critical, high, medium or low/u,
  )
})
