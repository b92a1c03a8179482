import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepHost } from './keeper.ts'

/** Replaces a browser's worker: sends only the messages that the test lets it send. */
class SlowWorker {
  static readonly started: SlowWorker[] = []
  onmessage: (event: { readonly data: unknown }) => void = () => undefined
  onerror: (event: { readonly message: string }) => void = () => undefined
  isEnded = false
  constructor() {
    SlowWorker.started.push(this)
  }
  postMessage(): void {
    // It never answers the watchdog.
  }
  terminate(): void {
    this.isEnded = true
  }
}

const keeping = {
  facts: { version: '1', preset: 'recommended', link: '', about: [], lacks: [] },
  program: 'host.js',
  files: () => '{}',
  onFile: () => undefined,
  onDead: () => undefined,
}
const MINUTE_MS = 60_000

beforeEach(() => {
  SlowWorker.started.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('Worker', SlowWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('waits for a host that takes long to load, and watches it from then on', async () => {
  const keeps = keepHost(keeping)
  const [first] = SlowWorker.started
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(first?.isEnded).toBe(false)
  first?.onmessage({ data: 'ready' })
  const pipe = await keeps
  const gone = vi.fn()
  pipe.onGone(gone)
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(gone).toHaveBeenCalled()
  expect(first?.isEnded).toBe(true)
  expect(SlowWorker.started.length).toBe(2)
})
