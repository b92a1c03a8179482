import { describe, expect, it } from 'vitest'
import { failureOf, type FailureKind } from './call-failures.ts'
import { askWithRetries, createRateLimit, type Answered, type Chronometer } from './retry.ts'

const GOOD: Answered<unknown> = {
  ok: true,
  value: { raw: '{}', inputTokens: 1, outputTokens: 1, elapsedMs: 1 },
}
const bad = (kind: FailureKind, retryAfterMs: number | null = null): Answered<unknown> => ({
  ok: false,
  error: failureOf(kind),
  retryAfterMs,
})

/** A clock that advances only during sleeps. */
function stopwatch(): Chronometer & { readonly slept: number[]; at: number } {
  const slept: number[] = []
  const watch = {
    slept,
    at: 0,
    now: () => watch.at,
    random: () => 0.5,
    sleep: (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted()
      slept.push(ms)
      watch.at += ms
      return Promise.resolve()
    },
  }
  return watch
}

async function tryAll(answers: ReadonlyArray<Answered<unknown>>) {
  const time = stopwatch()
  const limit = createRateLimit(time, 4)
  const { signal } = new AbortController()
  let n = 0
  const answered = await askWithRetries(() => Promise.resolve(answers[n++] ?? GOOD), {
    time,
    limit,
    perMinute: 60_000,
    signal,
  })
  return { answered, calls: n, slept: time.slept }
}

describe('retries', () => {
  it('[V20] waits twice as long each time, with jitter, and gives up after four attempts', async () => {
    const { answered, calls, slept } = await tryAll(
      Array<Answered<unknown>>(9).fill(bad('server_error')),
    )
    expect(slept).toEqual([375, 750, 1500])
    expect(calls).toBe(4)
    expect(answered).toMatchObject({ ok: false, error: { kind: 'server_error', attempts: 4 } })
  })

  it('[V20] waits as long as the server asks', async () => {
    const { answered, slept } = await tryAll([bad('rate_limited', 7000)])
    expect(answered.ok).toBe(true)
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(7000)
  })

  it.each<[FailureKind, number]>([
    ['timeout', 2],
    ['unreachable', 2],
    ['cut_off', 2],
    ['unauthorized', 1],
    ['refused', 1],
    ['malformed', 1],
    ['too_large', 1],
    ['cancelled', 1],
  ])('[V20] %s is tried %i times', async (kind, times) => {
    const { calls } = await tryAll(Array<Answered<unknown>>(9).fill(bad(kind)))
    expect(calls).toBe(times)
  })

  it('[V20] a stop while waiting is cancelled, and nothing more is sent', async () => {
    const stop = new AbortController()
    const time = { ...stopwatch(), sleep: () => Promise.reject(new Error('stopped')) }
    let calls = 0
    const answered = await askWithRetries(
      () => {
        calls += 1
        stop.abort()
        return Promise.resolve(bad('server_error'))
      },
      { time, limit: createRateLimit(time, 4), perMinute: 60, signal: stop.signal },
    )
    expect(answered).toMatchObject({ ok: false, error: { kind: 'cancelled', attempts: 1 } })
    expect(calls).toBe(1)
  })
})

describe('waiting as a server asks', () => {
  it('[V41] an address that only asks for time is given up after four minutes, and it is said', async () => {
    const { answered, calls, slept } = await tryAll(
      Array<Answered<unknown>>(9).fill(bad('rate_limited', 120_000)),
    )
    expect(calls).toBe(3)
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(240_000)
    expect(answered).toMatchObject({ ok: false, error: { kind: 'rate_limited' } })
    if (!answered.ok) expect(answered.error.what).toContain('240 s in all')
  })

  it('[V41] what was waited counts until an answer comes; pauses at once count once', () => {
    const limit = createRateLimit(stopwatch(), 4)
    expect([limit.pause(120_000), limit.pause(120_000), limit.pause(120_000)]).toEqual([
      true,
      true,
      true,
    ])
    const other = createRateLimit(stopwatch(), 4)
    expect([other.pause(200_000), other.pause(250_000)]).toEqual([true, false])
    other.answered()
    expect(other.pause(230_000)).toBe(true)
  })
})

describe('rate limit', () => {
  it('[V20] lets a few through at once, then as many a minute as asked', async () => {
    const time = stopwatch()
    const limit = createRateLimit(time, 4)
    const { signal } = new AbortController()
    for (let n = 0; n < 10; n += 1) await limit.take(60, signal)
    expect(time.at).toBeGreaterThanOrEqual(6000)
    expect(time.at).toBeLessThan(6100)
  })

  it('[V20] a pause holds everybody, and one who gives up holds nobody', async () => {
    const time = stopwatch()
    const limit = createRateLimit(time, 4)
    limit.pause(5000)
    const stop = new AbortController()
    stop.abort()
    await expect(limit.take(60, stop.signal)).rejects.toThrow()
    await limit.take(60, new AbortController().signal)
    expect(time.at).toBe(5000)
  })
})
