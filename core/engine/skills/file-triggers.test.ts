import { describe, expect, test } from 'vitest'
import { type PlainEvent, NO_TEXTS } from '../schema/event.ts'
import type { FileTriggers } from '../schema/domain.ts'
import { editsOf, skillsUsed } from './edits.ts'
import { editWords } from './edit-words.ts'
import { compileFileTriggers, traceEdit } from './file-triggers.ts'

const event = (seq: number, name: string, args: unknown): PlainEvent => {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  const rest = { at: null, callId: null, isError: false, model: null }
  const source = { offset: 0, length: 0, line: 1 }
  return { seq, kind: 'tool_call', name, text, chars: text.length, blank: false, source, ...rest }
}

const edited = (name: string, args: unknown, cwd: string | null = null) =>
  editsOf([event(0, name, args)], NO_TEXTS, cwd).map(({ path, text, whole }) => ({
    path,
    text,
    whole,
  }))

describe('edits', () => {
  test('[K24] are calls that name a path and give its new text, of whichever agent', () => {
    const part = (path: string, text: string) => [{ path, text, whole: false }]
    const whole = (path: string, text: string) => [{ path, text, whole: true }]
    expect(edited('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' })).toEqual(
      part('a.ts', 'y'),
    )
    expect(edited('Write', { file_path: 'a.ts', content: 'all' })).toEqual(whole('a.ts', 'all'))
    expect(
      edited('MultiEdit', { file_path: 'a', edits: [{ new_string: '1' }, { new_string: '2' }] }),
    ).toEqual(part('a', '1\n2'))
    expect(edited('str_replace_editor', { path: '/a.py', file_text: '' })).toEqual(
      whole('/a.py', ''),
    )
    expect(edited('editor', { path: 'b.tsx', old_text: 'x', new_text: 'y' })).toEqual(
      part('b.tsx', 'y'),
    )
    const patch =
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch'
    const both = [...part('a.ts', 'y'), ...whole('b.ts', 'z')]
    expect(edited('apply_patch', { patch })).toEqual(both)
    expect(edited('apply_patch', patch)).toEqual(both)
  })

  test('[K24] reading, commands and arguments that are none edit nothing', () => {
    expect(edited('Read', { file_path: 'a.ts' })).toEqual([])
    expect(edited('Bash', { command: 'echo x > a.ts' })).toEqual([])
    expect(edited('Write', { content: 'x' })).toEqual([])
    expect(edited('Write', '{"file_path": "a.ts", "content": "torn')).toEqual([])
    expect(edited('Write', { file_path: 7, content: {} })).toEqual([])
    expect(edited('create_note', { title: 'a', content: 'b' })).toEqual([])
  })

  test('[K24] a path below the folder of the session is named below it', () => {
    const args = { file_path: '/home/me/shop/src/a.ts', content: '' }
    expect(edited('Write', args, '/home/me/shop')[0]?.path).toBe('src/a.ts')
    expect(edited('Write', args, '/home/me/sho')[0]?.path).toBe('/home/me/shop/src/a.ts')
    expect(
      edited('Write', { file_path: 'C:\\shop\\src\\a.ts', content: '' }, 'C:\\shop')[0]?.path,
    ).toBe('src/a.ts')
    expect(edited('Write', { file_path: './src/a.ts', content: '' })[0]?.path).toBe('src/a.ts')
  })
})

function verdict(triggers: FileTriggers, args: object, used = new Map<string, number>()) {
  const fileTriggers = compileFileTriggers(triggers, 'skill "s"', [])
  const [edit] = editsOf([event(4, 'Edit', args)], NO_TEXTS, null)
  if (edit === undefined) throw new Error('no edit')
  const asked = { edit, used, guard: (run: () => void) => (run(), true) }
  return traceEdit([{ name: 's', fileTriggers }], asked).skills[0]
}

describe('file triggers', () => {
  const paths = { pathPatterns: ['src/**/*.ts'] }
  const file = { file_path: 'src/db/a.ts', new_string: 'import { Prisma }' }

  test('[K24] fire on a path that a glob names and none excludes', () => {
    expect(verdict(paths, file)).toMatchObject({ verdict: 'fires', glob: 'src/**/*.ts', by: null })
    expect(verdict(paths, { ...file, file_path: 'lib/a.ts' })).toBeUndefined()
    const excluded = verdict({ ...paths, pathExclusions: ['**/db/**'] }, file)
    expect(excluded).toMatchObject({ verdict: 'excluded', by: '**/db/**' })
    expect(excluded && editWords(excluded)).toContain('excluded by **/db/**')
  })

  test('[K24] with content patterns one of them has to match the new text', () => {
    const contentPatterns = ['nothing', 'import.*prisma']
    expect(verdict({ ...paths, contentPatterns }, file)).toMatchObject({
      verdict: 'fires',
      by: 'import.*prisma',
    })
    const other = verdict({ ...paths, contentPatterns }, { ...file, new_string: 'let x' })
    expect(other).toMatchObject({ verdict: 'no_content' })
    expect(other && editWords(other)).toContain('nothing | import.*prisma')
  })

  test('[K25] not on a part of a file where only new ones count, on a marker, or after the skill was opened', () => {
    expect(verdict({ ...paths, createOnly: true }, file)?.verdict).toBe('not_created')
    const whole = { file_path: 'src/a.ts', content: '' }
    expect(verdict({ ...paths, createOnly: true }, whole)?.verdict).toBe('fires')
    const marked = { ...file, new_string: '// @skip-validation' }
    expect(verdict({ ...paths, fileMarkers: ['@skip-validation'] }, marked)?.verdict).toBe('marked')
    const once = { ...paths, sessionSkillUsed: true }
    const used = skillsUsed([event(2, 'Skill', { skill: 's' })], NO_TEXTS)
    expect(verdict(once, file, new Map(used))?.verdict).toBe('used')
    expect(verdict(paths, file, new Map(used))?.verdict).toBe('fires')
    expect(verdict(once, file, new Map([['s', 9]]))?.verdict).toBe('fires')
  })

  test('[K24] a pattern that the watchdog cuts off does not fire', () => {
    const [edit] = editsOf([event(0, 'Edit', file)], NO_TEXTS, null)
    if (edit === undefined) throw new Error('no edit')
    const fileTriggers = compileFileTriggers({ ...paths, contentPatterns: ['import'] }, 's', [])
    let runs = 0
    const guard = (run: () => void) => {
      runs += 1
      if (runs > 1) return false
      run()
      return true
    }
    const { skills } = traceEdit([{ name: 's', fileTriggers }], { edit, used: new Map(), guard })
    expect(skills).toMatchObject([{ verdict: 'no_content' }])
  })
})
