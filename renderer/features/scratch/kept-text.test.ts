import { describe, expect, it } from 'vitest'
import { keepText, keptText } from './kept-text.ts'

function storage(first: string | null = null) {
  let text = first
  return { getItem: () => text, setItem: (_: string, value: string) => void (text = value) }
}

describe('[U165] what is being typed', () => {
  it('is there again, with who writes it', () => {
    const kept = storage()
    keepText('a', { kind: 'agent', text: 'All done' }, kept)
    keepText('b', { kind: 'user', text: 'hello' }, kept)
    expect(keptText('a', kept)).toEqual({ kind: 'agent', text: 'All done' })
    keepText('a', { kind: 'agent', text: '' }, kept)
    expect(keptText('a', kept)).toBeNull()
    expect(keptText('b', kept)?.text).toBe('hello')
  })

  it('is kept for eight sessions, the last that were typed in, each up to 100,000 characters', () => {
    const kept = storage()
    for (let at = 0; at < 9; at += 1)
      keepText(`${at}`, { kind: 'user', text: 'x'.repeat(100_001) }, kept)
    expect(keptText('0', kept)).toBeNull()
    expect(keptText('1', kept)?.text).toHaveLength(100_000)
  })

  it('is nothing where the storage holds something else, or is full', () => {
    for (const text of ['{', '7', '[null, 1, {"id": "a"}, {"id": "a", "kind": "x", "text": ""}]'])
      expect(keptText('a', storage(text))).toBeNull()
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => keepText('a', { kind: 'user', text: 'x' }, full)).not.toThrow()
  })
})
