import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.ts'

const live = () => new AbortController().signal

function slow(log: string[], name: string) {
  return (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      log.push(`start ${name}`)
      const timer = setTimeout(() => resolve(name), 30)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        log.push(`stop ${name}`)
        reject(new Error('stopped'))
      })
    })
}

test('equal work asked for twice at once runs once, and is kept', async () => {
  const log: string[] = []
  const work = createSharedWork<string>(2)
  const ask = () => work.get('a', { signal: live(), start: slow(log, 'a') })
  expect(await Promise.all([ask(), ask()])).toEqual(['a', 'a'])
  expect(await ask()).toBe('a')
  expect(log).toEqual(['start a'])
})

test('one of two who gives up does not stop the work; the last one does', async () => {
  const log: string[] = []
  const work = createSharedWork<string>(2)
  const first = new AbortController()
  const second = new AbortController()
  const a = work.get('a', { signal: first.signal, start: slow(log, 'a') })
  const b = work.get('a', { signal: second.signal, start: slow(log, 'a') })
  first.abort()
  await expect(a).rejects.toThrow('cancelled')
  expect(log).toEqual(['start a'])
  second.abort()
  await expect(b).rejects.toThrow('cancelled')
  expect(log).toEqual(['start a', 'stop a'])
  expect(await work.get('a', { signal: live(), start: slow(log, 'again') })).toBe('again')
})

test('only the last results are kept, by use', async () => {
  const log: string[] = []
  const work = createSharedWork<string>(2)
  const ask = (key: string) => work.get(key, { signal: live(), start: slow(log, key) })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key)
  expect(log).toEqual(['start a', 'start b', 'start c', 'start b'])
})
