import { describe, expect, it } from 'vitest'
import { formConfig, newForm } from './add-embedder.tsx'
import { indexedText } from './state.ts'

describe('[D56] collections', () => {
  it('tells what indexing did', () => {
    const indexed = { kind: 'indexed', skipped: [], calibrated: null, chunks: 1200 } as const
    expect(indexedText({ ...indexed, documents: 3, added: 2, changed: 1, removed: 0 })).toBe(
      '1,200 chunks of 3 documents; 2 added, 1 changed',
    )
    expect(indexedText({ ...indexed, documents: 1, added: 0, changed: 0, removed: 0 })).toBe(
      '1,200 chunks of 1 document; nothing changed',
    )
  })

  it('takes a form as a configuration only when nothing is missing', () => {
    const form = newForm()
    expect(formConfig(form)).toBeNull()
    expect(formConfig({ ...form, fields: { ...form.fields, title: 'mine', path: '/m' } })).toEqual({
      kind: 'folder',
      title: 'mine',
      path: '/m',
    })
    const openai = { kind: 'openai', fields: { ...form.fields, title: 't', model: 'm' } } as const
    expect(formConfig(openai)).toMatchObject({ kind: 'openai', keyEnv: null })
    expect(formConfig({ ...openai, fields: { ...openai.fields, keyEnv: 'not a name' } })).toBeNull()
    expect(formConfig({ ...openai, fields: { ...openai.fields, url: 'nowhere' } })).toBeNull()
  })
})
