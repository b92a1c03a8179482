import { expect, it, vi } from 'vitest'
import type { CallContext } from '../../../wire/rpc.ts'
import { sessionContract } from '../../../wire/threads.ts'
import { lazyHandlers, lazyGroups } from './lazy-handlers.ts'

const context: CallContext = { signal: new AbortController().signal }

it('[F133] handlers are loaded once, when one of them is first asked for, and answer as they do', async () => {
  const load = vi.fn(() =>
    Promise.resolve({
      'tour.list': () => ({ tours: [], problems: [] }),
      'tour.save': () => {
        throw new Error('no place')
      },
    }),
  )
  const handlers = lazyHandlers(['tour.list', 'tour.save'], load as never)
  expect(load).not.toHaveBeenCalled()
  const ask = async () => await handlers['tour.list']({}, context)
  const [one, two] = await Promise.all([ask(), ask()])
  expect(one).toEqual({ tours: [], problems: [] })
  expect(two).toEqual(one)
  await expect(handlers['tour.save']({} as never, context)).rejects.toThrow('no place')
  expect(load).toHaveBeenCalledTimes(1)
})

it('[F133] a stream is told as it comes, and ends where its reader does', async () => {
  let ended = false
  const handlers = lazyGroups(['forms'], () =>
    Promise.resolve({
      'forms.write': async function* () {
        try {
          await Promise.resolve()
          yield { kind: 'progress' as const, done: 1, total: 2 }
          yield { kind: 'progress' as const, done: 2, total: 2 }
        } finally {
          ended = true
        }
      },
    } as never),
  )
  const seen: unknown[] = []
  for await (const step of handlers['forms.write'](
    {} as never,
    context,
  ) as AsyncIterable<unknown>) {
    seen.push(step)
    break
  }
  expect(seen).toEqual([{ kind: 'progress', done: 1, total: 2 }])
  expect(ended).toBe(true)
})

it('[F133] all methods of a group have a handler, and none of another', () => {
  const names = Object.keys(lazyGroups(['coach', 'labels'], () => Promise.reject(new Error())))
  const wanted = Object.keys(sessionContract).filter((name) => /^(?:coach|labels)\./.test(name))
  expect(names.toSorted()).toEqual(wanted.toSorted())
})
