import { describe, expect, test } from 'vitest'
import { emptyLink, type Link } from './link.ts'
import { beginRestore, rememberCrash, restored } from './restore.ts'

function storage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

const link: Link = {
  ...emptyLink,
  source: { kind: 'path', path: '/a.jsonl' },
  turn: 3,
  tab: 'raw',
  dock: 'tune',
}

describe('[U15] a reload never returns into a crash', () => {
  test('a link is opened whole as long as the page answers', () => {
    const kept = storage()
    expect(beginRestore(link, '1', kept)).toEqual({ link, notice: null })
    restored(kept)
    expect(beginRestore(link, '2', kept)).toEqual({ link, notice: null })
  })

  test('a reconnection of the same load is no crash', () => {
    const kept = storage()
    beginRestore(link, '1', kept)
    expect(beginRestore(link, '1', kept).notice).toBeNull()
  })

  test('a load that never answered again: the next starts without its parts, and says so', () => {
    const kept = storage()
    beginRestore(link, '1', kept)
    const next = beginRestore(link, '2', kept)
    expect(next.link).toEqual({ ...link, tab: null, dock: null })
    expect(next.notice?.where).toBe('Tab raw, Panel tune')
  })

  test('a session that hangs by itself is not opened again', () => {
    const kept = storage()
    const bare = { ...link, tab: null, dock: null }
    beginRestore(bare, '1', kept)
    const next = beginRestore(bare, '2', kept)
    expect(next.link.source).toBeNull()
    expect(next.notice?.where).toBe('This session')
  })

  test('a part that threw is left out once; the others are opened', () => {
    const kept = storage()
    beginRestore(link, '1', kept)
    restored(kept)
    rememberCrash('tab', kept)
    const next = beginRestore(link, '2', kept)
    expect(next.link).toEqual({ ...link, tab: null })
    expect(next.notice?.where).toBe('Tab raw')
    restored(kept)
    expect(beginRestore(link, '3', kept).notice).toBeNull()
  })
})
