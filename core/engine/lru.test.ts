import { describe, expect, it } from 'vitest'
import { createLru } from './lru.ts'

describe('a least recently used cache', () => {
  it('keeps as many as its limit; what was read or written last goes last', () => {
    const cache = createLru<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    expect(cache.get('a')).toBe(1)
    cache.set('c', 3)
    expect([...cache.values()]).toEqual([1, 3])
    expect(cache.get('b')).toBeUndefined()
    cache.set('a', 4)
    expect([...cache.values()]).toEqual([3, 4])
  })

  it('counts sizes where it is given one; the last entry stays, however large', () => {
    const cache = createLru<string, string>(5, (text) => text.length)
    cache.set('a', 'aa')
    cache.set('b', 'bbb')
    expect(cache.size).toBe(2)
    cache.set('a', 'aaa')
    expect([...cache.values()]).toEqual(['aaa'])
    cache.set('c', 'a long text')
    expect([...cache.values()]).toEqual(['a long text'])
    cache.set('d', 'd')
    expect([...cache.values()]).toEqual(['d'])
  })

  it('forgets one or all', () => {
    const cache = createLru<string, string>(3, (text) => text.length)
    cache.set('a', 'aaa')
    expect(cache.delete('a')).toBe(true)
    expect(cache.delete('a')).toBe(false)
    cache.set('b', 'b')
    cache.clear()
    cache.set('c', 'ccc')
    expect([...cache.values()]).toEqual(['ccc'])
  })
})
