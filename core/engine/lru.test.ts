import { expect, it } from 'vitest'
import { createLru } from './lru.ts'

it('forgets what was not used for the longest time', () => {
  const lru = createLru<string, number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  expect(lru.get('a')).toBe(1)
  lru.set('c', 3)
  expect([lru.get('a'), lru.get('b'), lru.get('c'), lru.size]).toEqual([1, undefined, 3, 2])
  expect([...lru.values()]).toEqual([1, 3])
})

it('counts sizes, and always keeps the newest value', () => {
  const lru = createLru<string, string>(5, (text) => text.length)
  lru.set('a', 'xxx')
  lru.set('a', 'xx')
  lru.set('b', 'xxx')
  expect(lru.size).toBe(2)
  lru.set('c', 'much too long')
  expect([...lru.values()]).toEqual(['much too long'])
  lru.delete('c')
  lru.set('d', 'xxxxx')
  lru.clear()
  lru.set('e', 'xxxxx')
  expect([...lru.values()]).toEqual(['xxxxx'])
})
