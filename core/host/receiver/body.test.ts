import { constants, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createJsonMeter } from '../../engine/json-bounds.ts'
import { createJoined, unpacked } from './body.ts'
import { BODY_BOUNDS, MAX_UNPACKED } from './limits.ts'
import { createTurns } from './receiver.ts'

const LEVEL = { level: constants.Z_BEST_COMPRESSION }

/** `{"resourceSpans":[{},{},…]}` with so many elements, packed. */
function bomb(elements: number): Buffer {
  return gzipSync(`{"resourceSpans":[${'{},'.repeat(elements - 1)}{}]}`, LEVEL)
}

describe('[F206] a body is measured before anything is built', () => {
  it('stops at the first element too many, and unpacks no more', async () => {
    const packed = bomb(20_000_000)
    expect(packed.length).toBeLessThan(100_000)
    const meter = createJsonMeter(BODY_BOUNDS)
    const read = await unpacked(packed, 'gzip', meter)
    expect(read).toMatchObject({
      ok: false,
      error: { status: 413, why: 'it holds too much' },
    })
    expect(meter.values()).toBeLessThanOrEqual(BODY_BOUNDS.items + 2)
    // Of 60 MB.
    expect(meter.bytes()).toBeLessThan(1_000_000)
  })

  it('stops in lists that are each within the limit', async () => {
    const list = `[${'0,'.repeat(50_000)}0]`
    const packed = gzipSync(`{"resourceSpans":[${`${list},`.repeat(400)}0]}`, LEVEL)
    const meter = createJsonMeter(BODY_BOUNDS)
    const { ok, ...rest } = await unpacked(packed, 'gzip', meter)
    expect([ok, rest]).toMatchObject([
      false,
      { error: { more: 'it holds more than 2000000 values' } },
    ])
    expect(meter.values()).toBe(BODY_BOUNDS.values + 1)
  })

  it('measures a body that is not packed in steps', async () => {
    const meter = createJsonMeter(BODY_BOUNDS)
    const body = Buffer.from(`{"resourceSpans":[${'{},'.repeat(6_000_000)}{}]}`)
    expect(await unpacked(body, 'identity', meter)).toMatchObject({ ok: false })
    expect(meter.bytes()).toBeLessThan(1_000_000)
  })

  it('adds up the members of a gzip body', async () => {
    const part = gzipSync(Buffer.alloc(1024 * 1024, ' '), LEVEL)
    const packed = Buffer.concat(Array.from({ length: 65 }, () => part))
    expect(await unpacked(packed, 'gzip', createJsonMeter(BODY_BOUNDS))).toMatchObject({
      error: { status: 413, why: `unpacked it is larger than ${MAX_UNPACKED} bytes` },
    })
    const two = Buffer.concat([gzipSync('{"resource'), gzipSync('Spans":[]}')])
    const both = await unpacked(two, 'gzip', createJsonMeter(BODY_BOUNDS))
    expect(both.ok && both.value.toString()).toBe('{"resourceSpans":[]}')
  })

  it('takes batches of 8,192 dense spans', async () => {
    const attributes = Array.from({ length: 16 }, (_, n) => ({
      key: `gen_ai.attribute.${n}`,
      value: { stringValue: 'x' },
    }))
    const span = JSON.stringify({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes })
    const body = Buffer.from(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array.from({ length: 8192 }, () => span).join()}]}]}]}`,
    )
    const meter = createJsonMeter(BODY_BOUNDS)
    expect(await unpacked(body, 'identity', meter)).toMatchObject({ ok: true })
    expect(meter.values()).toBeGreaterThan(500_000)
  })
})

describe('[F151] pieces of a body', () => {
  it('of one byte are held in blocks, and joined in their order', () => {
    const joined = createJoined()
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n % 251))
    for (let at = 0; at < bytes.length; at += 1) joined.add(bytes.subarray(at, at + 1))
    expect(joined.count()).toBeLessThan(5)
    expect(joined.all().equals(bytes)).toBe(true)
  })

  it('of any size are joined in their order', () => {
    const joined = createJoined()
    const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, n) => (n * 7) % 253))
    let at = 0
    for (let n = 0; at < bytes.length; n += 1) {
      const size = [1, 40_000, 70_000, 30_000, 3][n % 5] ?? 1
      joined.add(bytes.subarray(at, at + size))
      at += size
    }
    expect(joined.all().equals(bytes)).toBe(true)
  })
})

describe('[F151] turns', () => {
  it('go from connection to connection, one piece of work at a time', async () => {
    const turns = createTurns()
    const greedy = {}
    const modest = {}
    const order: string[] = []
    let running = 0
    const work = (name: string) => async () => {
      running += 1
      expect(running).toBe(1)
      await Promise.resolve()
      order.push(name)
      running -= 1
    }
    const all = Array.from({ length: 50 }, (_, n) => turns(greedy, work(`greedy ${n}`)))
    all.push(turns(modest, work('modest 0')), turns(modest, work('modest 1')))
    await Promise.all(all)
    expect(order.slice(0, 5)).toEqual(['greedy 0', 'greedy 1', 'modest 0', 'greedy 2', 'modest 1'])
    expect(order).toHaveLength(52)
  })

  it('go on after work that fails', async () => {
    const turns = createTurns()
    const owner = {}
    const failed = turns(owner, () => Promise.reject(new Error('failed')))
    const next = turns(owner, () => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('done')
    expect(await turns(owner, () => Promise.resolve('later'))).toBe('later')
  })
})
