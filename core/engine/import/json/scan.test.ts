import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ByteDocument } from '../source.ts'
import { endOfValue } from './cursor.ts'
import { scanPrefix } from './prefix.ts'
import {
  createJsonStream,
  listItems,
  objectMembers,
  type JsonStream,
  type Slot,
  type Walk,
} from './stream.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const indent = fc.constantFrom(undefined, 1, 2, '\t')

/** A document that is held in windows of a few bytes. */
function streamOf(bytes: Uint8Array, least: number): JsonStream {
  const document: ByteDocument = {
    size: bytes.length,
    window: (from, wanted) => {
      const end = Math.min(bytes.length, from + wanted)
      const last = end === bytes.length
      return Promise.resolve({ bytes: bytes.slice(from, end), start: from, last })
    },
    decode: (window, start, end) => decoder.decode(window.subarray(start, end)),
    fileOffset: (position) => position,
    close: () => Promise.resolve(),
  }
  return createJsonStream(document, least)
}

/** Walks a whole array. */
async function walkItems(stream: JsonStream, take: (slot: Slot) => void): Promise<Walk> {
  const items = listItems(stream, 0)
  for (;;) {
    const item = await items.next()
    if (item.done === true) return item.value
    take(item.value)
  }
}

const windows = fc.integer({ min: 1, max: 40 })

describe('json stream', () => {
  it('[I3] [I52] the items it finds are the items of the array, in windows of any size', async () => {
    const lists = fc.array(fc.jsonValue(), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(lists, indent, windows, async (items, space, window) => {
        const bytes = encoder.encode(JSON.stringify(items, null, space))
        const stream = streamOf(bytes, window)
        const found: unknown[] = []
        const lines: number[] = []
        const walk = await walkItems(stream, (slot) => {
          found.push(JSON.parse(stream.text(slot)))
          lines.push(stream.place(slot).line - newlinesBefore(bytes, slot.start))
        })
        expect(walk).toEqual({ end: bytes.length, torn: false })
        // Through JSON once, as -0 and the like do not survive it.
        expect(found).toEqual(JSON.parse(JSON.stringify(items)))
        expect(new Set(lines)).toEqual(new Set(items.length === 0 ? [] : [1]))
      }),
    )
  })

  it('[I3] [I52] the members it finds are the members of the object, whether looked at or skipped', async () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(objects, indent, windows, async (object, space, window) => {
        const bytes = encoder.encode(JSON.stringify(object, null, space))
        const stream = streamOf(bytes, window)
        const members = objectMembers(stream, 0)
        const found: Array<[string, unknown]> = []
        let end: number | undefined
        for (let at = 0; ; at += 1) {
          const member = await members.next(end)
          end = undefined
          if (member.done === true) {
            expect(member.value).toEqual({ end: bytes.length, torn: false })
            break
          }
          const { key, start } = member.value
          if (at % 2 === 0) end = await stream.end(start)
          const value: unknown = end === undefined ? null : JSON.parse(stream.text({ start, end }))
          found.push([JSON.parse(`"${key}"`) as string, value])
        }
        const plain = JSON.parse(JSON.stringify(object)) as object
        expect(found).toEqual(
          Object.entries(plain).map(([key, value], at): unknown[] => [
            key,
            at % 2 === 0 ? value : null,
          ]),
        )
      }),
    )
  })

  it('[I5] a cut document gives the items before the cut and says that it is torn', async () => {
    for (const window of [1, 5, 100]) {
      const stream = streamOf(encoder.encode('[1, {"a": "]"}, [2, [3'), window)
      const found: string[] = []
      const walk = await walkItems(stream, (slot) => found.push(stream.text(slot)))
      expect(found).toEqual(['1', '{"a": "]"}'])
      expect(walk).toEqual({ end: 16, torn: true })
    }
  })

  it('[I5] depth costs no stack', () => {
    const bytes = encoder.encode(`${'['.repeat(300_000)}${']'.repeat(300_000)}`)
    expect(endOfValue(bytes, 0)).toBe(600_000)
  })

  it('[I2] lines are counted once, also after going back', async () => {
    const stream = streamOf(encoder.encode('[1,\n2,\n\n3]\n'), 2)
    const mark = stream.mark(await stream.skipSpace(0))
    const lines: number[] = []
    const count = () => walkItems(stream, (slot) => lines.push(stream.place(slot).line))
    await count()
    stream.rewind(mark)
    await count()
    expect(lines).toEqual([1, 2, 4, 1, 2, 4])
    expect(await stream.lines()).toBe(5)
  })
})

describe('json prefix', () => {
  it('[I1] a whole value is complete, and every cut of it is a prefix whose closed part parses', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
        indent,
        fc.nat(),
        (value, space, n) => {
          const text = JSON.stringify(value, null, space)
          expect(scanPrefix(text, 0)).toEqual({ state: 'complete', end: text.length })
          const cut = text.slice(0, 1 + (n % (text.length - 1)))
          const prefix = scanPrefix(cut, 0)
          expect(prefix.state).toBe('partial')
          if (prefix.state === 'partial')
            expect(() => JSON.parse(prefix.closed) as unknown).not.toThrow()
        },
      ),
    )
  })

  it.each([
    '{"a":1\n{"b":2}',
    '{"a":"x\ny"}',
    '[1 2]',
    '{"a" 1}',
    '{1:2}',
    '[}',
    '{"a":1,}',
    '{"a":nope}',
  ])('[I1] %j is no prefix of a value', (text) => {
    expect(scanPrefix(text, 0).state).toBe('invalid')
  })

  it('[I1] long lines of many small values are read in linear time', () => {
    const text = '{"a":"b"}'.repeat(200_000)
    let at = 0
    while (at < text.length) {
      const prefix = scanPrefix(text, at)
      if (prefix.state !== 'complete') throw new Error(prefix.state)
      at = prefix.end
    }
    expect(at).toBe(text.length)
  })
})

function newlinesBefore(bytes: Uint8Array, end: number): number {
  return bytes.subarray(0, end).filter((byte) => byte === 0x0a).length
}
