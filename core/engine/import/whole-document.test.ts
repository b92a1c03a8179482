import { describe, expect, it } from 'vitest'
import { caseCount, SEED } from '../../../fixtures/cases.ts'
import { seedsOf, families } from '../../../fixtures/fuzz/seeds.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../schema/event.ts'
import { outlineOf } from './json/outline.ts'
import { parseJson } from './json/value.ts'
import { isList, isObject } from './shared/guards.ts'
import type { ByteDocument, ImportedTranscript } from './source.ts'

/** More than a head, and nothing that a format is known by. */
const LONG = Array.from({ length: 900 }, (_, at) => ({ n: at, pad: 'x'.repeat(100), deep: [[at]] }))

/** The text of an object, or of a list of objects, with the long list before all other members. */
function padded(text: string): string | null {
  const first = parseJson(text)
  const isDocument = isObject(first) || (isList(first) && isObject(first[0]))
  return isDocument ? text.replace('{', `{\n"long-list": ${JSON.stringify(LONG)},\n`) : null
}

async function read(bytes: Buffer): Promise<ImportedTranscript> {
  const result = await readTranscript(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

function turns({ format, sessions }: ImportedTranscript): unknown {
  const said = sessions.flatMap(plainEvents).filter(({ kind }) => kind !== 'meta')
  return [format, said.map(({ kind, text, name }) => ({ kind, text, name }))]
}

const documents = families().flatMap((family) =>
  seedsOf(family).flatMap(({ name, bytes }) => {
    const text = padded(bytes.toString('utf8').trim())
    return text === null ? [] : [{ name, bytes, text }]
  }),
)

describe('a document whose deciding member stands behind a long list', () => {
  it('[I103] there are documents of most formats of JSON', () => {
    expect(documents.length).toBeGreaterThan(40)
  })

  it.each(documents)('[I103] $name is recognised, printed and on one line', async (document) => {
    const expected = turns(await read(document.bytes))
    expect(turns(await read(Buffer.from(document.text)))).toEqual(expected)
    // Long numbers would be rounded.
    if (/\d{16}/.test(document.text)) return
    const line = JSON.stringify(parseJson(document.text))
    expect(turns(await read(Buffer.from(line)))).toEqual(expected)
  })
})

/** A document that is made while it is read: so long that holding it would show. */
function generated(
  before: string,
  part: string,
  times: number,
  after: string,
): ByteDocument & { most: number } {
  const ends = [before, part, after].map((text) => Buffer.from(text))
  const head = ends[0] ?? Buffer.of()
  const item = ends[1] ?? Buffer.of()
  const tail = ends[2] ?? Buffer.of()
  const per = Math.ceil((1 << 19) / item.length)
  const windows = Math.ceil(times / per)
  const body = Buffer.concat(Array.from({ length: per }, () => item))
  const size = head.length + windows * body.length + tail.length
  return {
    size,
    most: 0,
    window(from) {
      const last = from >= head.length + windows * body.length
      const bytes = from === 0 ? head : last ? tail : body
      this.most = Math.max(this.most, bytes.length)
      return Promise.resolve({ bytes, start: from, last })
    },
    decode: (bytes, start, end) => Buffer.from(bytes.subarray(start, end)).toString('utf8'),
    fileOffset: (at) => at,
    close: () => Promise.resolve(),
  }
}

describe('the outline of a document', () => {
  it('[I103] finds the last member of 150 MB in one pass, and keeps little of the rest', async () => {
    const item = `${JSON.stringify({ text: 'say "so" \\'.repeat(40), more: [[{ a: [1, 2] }]] })},\n`
    const times = Math.ceil(150e6 / item.length)
    const document = generated('{"observations": [\n', item, times, '{}], "trace": {"id": "t"}}\n')
    const outline = await outlineOf(document)
    expect(outline?.alone).toBe(true)
    const { observations, trace } = (outline?.value ?? {}) as {
      observations: unknown[]
      trace: unknown
    }
    expect(trace).toEqual({ id: 't' })
    expect(observations).toHaveLength(50)
    expect(JSON.stringify(outline).length).toBeLessThan(1 << 16)
  })

  const ofText = (text: string, window = 7): ByteDocument => {
    const all = Buffer.from(text)
    return {
      size: all.length,
      window: (from) =>
        Promise.resolve({
          bytes: all.subarray(from, from + window),
          start: from,
          last: from + window >= all.length,
        }),
      decode: (bytes, start, end) => Buffer.from(bytes.subarray(start, end)).toString('utf8'),
      fileOffset: (at) => at,
      close: () => Promise.resolve(),
    }
  }

  it.each([1, 2, 3, 5, 64])(
    '[I103] is the value itself where that is small, in windows of %i',
    async (window) => {
      const value = {
        'a "quoted" key\\': ['\\', 'ü😀"', -1.5e3, true, null, {}, []],
        __proto_: { deep: [[[1]]] },
        n: 12,
      }
      for (const text of [
        JSON.stringify(value),
        JSON.stringify(value, null, 2),
        '"one"',
        '7',
        '[]',
      ]) {
        const outline = await outlineOf(ofText(text, window))
        expect(outline).toEqual({ value: parseJson(text), alone: text !== '7' })
      }
    },
  )

  it('[I103] is the same in windows of any size, whatever is passed over', async () => {
    const texts = [
      '\\',
      '"',
      '\\"',
      'x'.repeat(23),
      `${'y'.repeat(24)}\\`,
      'z"'.repeat(30),
      'ü😀',
      '{[',
    ]
    const items = Array.from({ length: 60 }, (_, at) => ({
      role: texts[at % texts.length],
      content: [texts[(at * 3) % texts.length], { [texts[(at * 5) % texts.length] ?? '']: at }],
    }))
    const text = JSON.stringify({ items, model: 'last' })
    const whole = await outlineOf(ofText(text, text.length))
    expect(whole).toEqual({ value: { items: items.slice(0, 50), model: 'last' }, alone: true })
    let state = SEED
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state % below
    }
    for (let round = 0; round < caseCount('import: outline windows'); round += 1) {
      const at = random(text.length)
      const changed =
        round === 0
          ? text
          : `${text.slice(0, at)}${'\\"{}[],:x'.charAt(random(9))}${text.slice(at + 1)}`
      const known = await outlineOf(ofText(changed, changed.length * 3))
      for (const window of [1, 2, 3, 1 + random(60)])
        expect(await outlineOf(ofText(changed, window)), changed).toEqual(known)
    }
  })

  it('[I103] ends where the brackets do not match, and says when more stands behind it', async () => {
    expect(await outlineOf(ofText('{"a": [1, 2}, "b": 3}'))).toEqual({
      value: { a: [1, 2] },
      alone: false,
    })
    expect(await outlineOf(ofText('{"a": 1}\n{"b": 2}'))).toEqual({ value: { a: 1 }, alone: false })
    expect(await outlineOf(ofText('{"a": "tor'))).toEqual({ value: {}, alone: false })
    expect(await outlineOf(ofText('  '))).toBeNull()
  })
})
