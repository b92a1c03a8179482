import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../fixtures/cases.ts'
import { type JsonBounds, type JsonExcess, createJsonMeter, excessText } from './json-bounds.ts'

const encoder = new TextEncoder()
const WIDE: JsonBounds = { values: 1e9, depth: 1e9, items: 1e9, names: 1e9, digits: 1e9 }

interface Counts {
  values: number
  depth: number
  items: number
  names: Set<string>
  digits: number
}

/** The same counts of a value that was built, by recursion. */
function countsOf(value: unknown, level = 1, counts: Counts = none()): Counts {
  counts.values += 1
  if (typeof value === 'object' && value !== null) {
    counts.depth = Math.max(counts.depth, level)
    counts.items = Math.max(counts.items, Object.keys(value).length)
    if (!Array.isArray(value)) for (const key of Object.keys(value)) counts.names.add(key)
    for (const inner of Object.values(value)) countsOf(inner, level + 1, counts)
  } else if (typeof value !== 'string')
    counts.digits = Math.max(counts.digits, JSON.stringify(value).length)
  return counts
}
function none(): Counts {
  return { values: 0, depth: 0, items: 0, names: new Set(), digits: 0 }
}

function measure(text: string, bounds: Partial<JsonBounds>, step = Infinity) {
  const bytes = encoder.encode(text)
  const meter = createJsonMeter({ ...WIDE, ...bounds })
  let excess: JsonExcess | null = null
  for (let at = 0; at < bytes.length && excess === null; at += step)
    excess = meter.push(bytes.subarray(at, at + Math.min(step, bytes.length)))
  return { excess, values: meter.values(), bytes: meter.bytes() }
}

describe('[F206] a meter of JSON', () => {
  it('counts as JSON.parse builds, however the text is divided and indented', () => {
    const indent = fc.constantFrom(undefined, 1, '\t')
    const step = fc.integer({ min: 1, max: 9 })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), indent, step, (value, space, by) => {
        const text = JSON.stringify(value, null, space)
        const { values, depth, items, names, digits } = countsOf(JSON.parse(text))
        const exact = { values, depth, items, names: names.size, digits }
        expect(measure(text, exact, by)).toEqual({
          excess: null,
          values,
          bytes: encoder.encode(text).length,
        })
        for (const [key, count] of Object.entries(exact)) {
          // An empty list and one of one element have no comma: both pass a limit of 0 elements.
          const least = key === 'items' ? 2 : 1
          if (count >= least)
            expect(measure(text, { ...exact, [key]: count - 1 }, by).excess).toBe(key)
        }
      }),
      casesOf('json: bounds'),
    )
  })

  it.each<readonly [string, string, Partial<JsonBounds>, JsonExcess | null]>([
    [
      'brackets and commas inside a string',
      '["[{,}]\\"[[[,,,\\\\"]',
      { values: 2, items: 1 },
      null,
    ],
    ['a duplicated key once', '{"a":1,"a":2,"a":3}', { names: 1 }, null],
    ['each member of a duplicated key', '{"a":1,"a":2,"a":3}', { items: 2 }, 'items'],
    ['__proto__ as any key', '{"__proto__":{"__proto__":{}}}', { names: 1 }, null],
    ['a number of a million digits', `[${'9'.repeat(1e6)}]`, { digits: 1000 }, 'digits'],
    ['100,000 levels', '['.repeat(100_000), { depth: 20_000 }, 'depth'],
    ['lone surrogates', '["\\ud800","\\udfff"]', { values: 3 }, null],
    ['a string of 1 MB as one value', `"${'x'.repeat(1e6)}"`, { values: 1 }, null],
    ['a text that is no JSON', ']]}},,::"', { values: 1 }, null],
  ])('counts %s', (_, text, bounds, excess) => {
    expect(measure(text, bounds).excess).toBe(excess)
    expect(measure(text, bounds, 7).excess).toBe(excess)
  })

  it('stops at the limit and stays exceeded', () => {
    const meter = createJsonMeter({ ...WIDE, items: 10 })
    expect(meter.push(encoder.encode(`[${'{},'.repeat(1000)}`))).toBe('items')
    expect(meter.values()).toBe(11)
    expect(meter.push(encoder.encode('{}'))).toBe('items')
    expect(meter.values()).toBe(11)
  })

  it('names the limit', () => {
    expect(excessText('items', { ...WIDE, items: 10 })).toBe(
      'it has a list or object with more than 10 elements',
    )
  })
})
