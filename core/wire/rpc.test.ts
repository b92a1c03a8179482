import { expect, test } from 'vitest'
import { z } from 'zod'
import { call, rowsAt, stream } from './method.ts'
import { type Handlers, connect, connectThread, RpcError, serve } from './rpc.ts'
import { failureOf } from '../../renderer/app/host.ts'
import { portPair } from '../../fixtures/port-pair.ts'
import { refusal } from '../host/platform/threads/refusal.ts'

const contract = {
  own: call('main', z.object({ of: z.int() }), z.object({ twice: z.int() })),
  passed: call('session', z.object({ of: z.int() }), z.object({ half: z.number() })),
  steps: stream('session', z.object({ to: z.int() }), z.object({ at: z.int() })),
}
const PROBLEM = {
  what: 'line 3: a colon: too many',
  where: 'C:\\x: y.jsonl. z',
  do: 'Mend it. Try',
}

/** A main process that passes calls on, and the thread behind it. */
function startBoth(handlers: Handlers<Pick<typeof contract, 'passed' | 'steps'>>) {
  const below = portPair()
  const above = portPair()
  serve(rowsAt(contract, 'session'), handlers, below.right)
  const thread = connectThread<typeof contract>(below.left)
  const main = { own: ({ of }: { readonly of: number }) => ({ twice: of * 2 }) }
  const gone = () => refusal({ what: 'the thread stopped', where: 'here', do: 'Open it again' })
  serve(contract, main, above.right, ({ name, payload }) =>
    thread.forward(name as 'passed', payload as never, gone),
  )
  return { client: connect<typeof contract>(above.left), endThread: below.close }
}

async function* upTo({ to }: { readonly to: number }) {
  for (let at = 0; at < to; at += 1) yield await Promise.resolve({ at })
}

const halves = { passed: ({ of }: { readonly of: number }) => ({ half: of / 2 }), steps: upTo }

test('a row says who answers: the main process, or a thread that the call is passed on to', async () => {
  const { client } = startBoth(halves)
  expect(await client.call('own', { of: 4 })).toEqual({ twice: 8 })
  expect(await client.call('passed', { of: 4 })).toEqual({ half: 2 })
  const seen: number[] = []
  await new Promise<void>((resolve, reject) => {
    client.subscribe(
      'steps',
      { to: 3 },
      {
        next: ({ at }) => seen.push(at),
        end: resolve,
        error: reject,
      },
    )
  })
  expect(seen).toEqual([0, 1, 2])
})

test('what is passed on is parsed by the thread: no handler sees what its schema refuses', async () => {
  const seen: unknown[] = []
  const passed = (input: { readonly of: number }) => {
    seen.push(input)
    return halves.passed(input)
  }
  const { client } = startBoth({ ...halves, passed })
  const bad = client.call('passed', { of: 'four' as unknown as number })
  await expect(bad).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await client.call('passed', { of: 4, more: 'unknown' } as { of: number })
  expect(seen).toEqual([{ of: 4 }])
  // Answers are checked on the side that creates them.
  const lying = startBoth({ ...halves, passed: () => ({ half: 'two' as unknown as number }) })
  const wrong = lying.client.call('passed', { of: 4 })
  await expect(wrong).rejects.toMatchObject({ code: 'BAD_OUTPUT' })
})

test('a method that is in no contract has no handler, whatever objects inherit', async () => {
  const { client } = startBoth(halves)
  for (const name of ['nothing', '__proto__', 'constructor', 'toString']) {
    const asked = client.call(name as 'own', { of: 1 })
    await expect(asked).rejects.toMatchObject({ code: 'NO_METHOD' })
  }
})

test('a failure crosses the wire whole: colons in it separate nothing', async () => {
  const passed = () => {
    throw refusal(PROBLEM)
  }
  const { client } = startBoth({ ...halves, passed })
  const error: unknown = await client.call('passed', { of: 1 }).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(RpcError)
  expect(error).toMatchObject({ code: 'REFUSED', ...PROBLEM })
  expect(failureOf(error, 'elsewhere')).toEqual({ ...PROBLEM, what: 'Line 3: a colon: too many' })
  // One line for a log or a terminal.
  const line = `${PROBLEM.what}: ${PROBLEM.where}. ${PROBLEM.do}`
  expect(error).toMatchObject({ message: line })
})

test('a thread that goes away ends what was passed on to it, in words', async () => {
  const waiting = Promise.withResolvers<{ half: number }>()
  const { client, endThread } = startBoth({ ...halves, passed: () => waiting.promise })
  const asked = client.call('passed', { of: 1 })
  await client.call('own', { of: 1 })
  endThread()
  await expect(asked).rejects.toMatchObject({ code: 'REFUSED', what: 'the thread stopped' })
})

test('a row without a handler does not compile, nor a handler without a row', () => {
  // @ts-expect-error: `steps` has no handler
  const missing: Handlers<typeof contract> = { own: () => ({ twice: 1 }), passed: halves.passed }
  // @ts-expect-error: `other` is no row
  const extra: Handlers<typeof contract> = { ...missing, steps: upTo, other: () => ({}) }
  const { right } = portPair()
  const forward = () => connectThread<typeof contract>(portPair().left).forward('own', { of: 1 })
  // @ts-expect-error: of a main process that forwards, rows at `main` need a handler
  serve(contract, {}, right, forward)
  // @ts-expect-error: there is no such place
  call('elsewhere', z.object({}), z.object({}))
  expect([missing, extra]).toHaveLength(2)
})
