import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPriority } from './priority.ts'

/** A promise that others settle. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const never = new AbortController().signal

test('[K8] the library waits while a window waits for an answer, and goes on after it', async () => {
  const priority = createPriority()
  const answer = gate()
  const { 'session.rows': rows } = priority.first({ 'session.rows': () => answer.opened })
  const order: string[] = []
  const asked = rows().then(() => order.push('window'))
  const background = priority.turn(never).then(() => order.push('library'))
  await sleep(80)
  expect(order).toEqual([])
  answer.open()
  await Promise.all([asked, background])
  expect(order).toEqual(['window', 'library'])
})

test('[K8] a stream of a window goes first until it ends; the library’s own calls hold nothing up', async () => {
  const priority = createPriority()
  const handlers = priority.first({
    'session.replay': async function* () {
      yield await Promise.resolve(1)
    },
    'library.read': () => gate().opened,
  })
  void handlers['library.read']()
  await priority.turn(never)
  const stream = handlers['session.replay']()
  await stream.next()
  let waited = true
  const background = priority.turn(never).then(() => {
    waited = false
  })
  await sleep(60)
  expect(waited).toBe(true)
  await stream.next()
  await background
})

test('[K8] a window that never gets its answer does not hold the library up for ever', async () => {
  const priority = createPriority()
  const { 'session.follow': follow } = priority.first({ 'session.follow': () => gate().opened })
  void follow()
  await expect(priority.turn(never)).resolves.toBeUndefined()
  const cancelled = new AbortController()
  const waiting = priority.turn(cancelled.signal)
  cancelled.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})
