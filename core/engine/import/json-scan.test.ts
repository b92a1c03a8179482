import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayItems, createLineCounter, endOfValue, walkObject } from './json-cursor.ts'
import type { Slot, Walk } from './json-cursor.ts'
import { scanPrefix } from './json-prefix.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const indent = fc.constantFrom(undefined, 1, 2, '\t')

/** Walks a whole array. */
function walkItems(bytes: Uint8Array, start: number, take: (slot: Slot) => void): Walk {
  const items = arrayItems(bytes, start)
  for (;;) {
    const item = items.next()
    if (item.done === true) return item.value
    take(item.value)
  }
}

describe('json cursor', () => {
  it('I3: the items it finds are the items of the array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), indent, (items, space) => {
        const bytes = encoder.encode(JSON.stringify(items, null, space))
        const found: unknown[] = []
        const walk = walkItems(bytes, 0, (slot) => {
          found.push(JSON.parse(decoder.decode(bytes.subarray(slot.start, slot.end))))
        })
        expect(walk).toEqual({ end: bytes.length, torn: false })
        // Through JSON once, as -0 and the like do not survive it.
        expect(found).toEqual(JSON.parse(JSON.stringify(items)))
      }),
    )
  })

  it('I3: the members it finds are the members of the object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), indent, (object, space) => {
        const bytes = encoder.encode(JSON.stringify(object, null, space))
        const found: Array<[unknown, unknown]> = []
        const read = (slot: { start: number; end: number }): unknown =>
          JSON.parse(decoder.decode(bytes.subarray(slot.start, slot.end)))
        const walk = walkObject(bytes, 0, (key, value) => found.push([read(key), read(value)]))
        expect(walk).toEqual({ end: bytes.length, torn: false })
        const plain = JSON.parse(JSON.stringify(object)) as object
        expect(found).toEqual(
          Object.keys(plain).map((key) => [key, Reflect.get(plain, key) as unknown]),
        )
      }),
    )
  })

  it('I5: a cut document gives the items before the cut and says that it is torn', () => {
    const bytes = encoder.encode('[1, {"a": "]"}, [2, [3')
    const found: string[] = []
    const walk = walkItems(bytes, 0, (slot) =>
      found.push(decoder.decode(bytes.subarray(slot.start, slot.end))),
    )
    expect(found).toEqual(['1', '{"a": "]"}'])
    expect(walk).toEqual({ end: 16, torn: true })
  })

  it('I5: depth costs no stack', () => {
    const bytes = encoder.encode(`${'['.repeat(300_000)}${']'.repeat(300_000)}`)
    expect(endOfValue(bytes, 0)).toBe(600_000)
  })

  it('I2: lines are counted from the bytes', () => {
    const lineAt = createLineCounter(encoder.encode('a\nb\n\nc'))
    expect([0, 1, 2, 4, 5, 6].map(lineAt)).toEqual([1, 1, 2, 3, 4, 4])
  })
})

describe('json prefix', () => {
  it('I1: a whole value is complete, and every cut of it is a prefix whose closed part parses', () => {
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
  ])('I1: %j is no prefix of a value', (text) => {
    expect(scanPrefix(text, 0).state).toBe('invalid')
  })

  it('I1: long lines of many small values are read in linear time', () => {
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
