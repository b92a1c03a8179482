import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import type { RawLine } from '../../../engine/import/source.ts'
import { readRange } from './byte-input.ts'
import { readLines, type LineOptions } from './lines.ts'

async function all(input: Uint8Array | string, options?: LineOptions): Promise<RawLine[]> {
  const lines: RawLine[] = []
  for await (const batch of readLines(input, options)) lines.push(...batch)
  return lines
}

function encode(text: string, encoding: 'utf8' | 'utf16le' | 'utf16be', bom: boolean): Buffer {
  const marked = `${bom ? '\ufeff' : ''}${text}`
  if (encoding === 'utf16be') return Buffer.from(marked, 'utf16le').swap16()
  return Buffer.from(marked, encoding)
}

describe('lines of a file', () => {
  it('[I2] \\n and \\r\\n end lines, offsets and lengths are bytes without terminator', async () => {
    const lines = await all(Buffer.from('añ\r\n\n🧾b\nlast'))
    expect(lines.map((l) => [l.line, l.offset, l.length, l.text, l.unterminated])).toEqual([
      [1, 0, 3, 'añ', false],
      [2, 5, 0, '', false],
      [3, 6, 5, '🧾b', false],
      [4, 12, 4, 'last', true],
    ])
  })

  it('[I2] a lone \\r is text, a file that ends in a newline has no further line', async () => {
    expect((await all(Buffer.from('a\rb\n'))).map((l) => l.text)).toEqual(['a\rb'])
    expect(await all(Buffer.from(''))).toEqual([])
  })

  it('[I5] NUL bytes are kept and flagged, invalid UTF-8 is replaced, lengths stay those of the file', async () => {
    const lines = await all(Buffer.from([0x61, 0, 0, 0x0a, 0xff, 0x62, 0x0a]))
    expect(lines.map((l) => [l.text, l.nul, l.offset, l.length])).toEqual([
      ['a\0\0', true, 0, 3],
      ['\ufffdb', false, 4, 2],
    ])
  })

  it('[I5] a line over the limit is cut and flagged, the next one is whole', async () => {
    const lines = await all(Buffer.from(`${'x'.repeat(100)}\nok\n`), { maxLineBytes: 10 })
    expect(lines.map((l) => [l.tooLong, l.length, l.text.length])).toEqual([
      [true, 100, 100],
      [false, 2, 2],
    ])
    expect(lines[1]!.offset).toBe(101)
  })

  it('[I5] a line of several chunks is one line', async () => {
    const long = 'é'.repeat(1_700_000)
    const lines = await all(Buffer.from(`short\n${long}\nend`))
    expect(lines.map((l) => [l.offset, l.length])).toEqual([
      [0, 5],
      [6, 3_400_000],
      [3_400_007, 3],
    ])
    expect(lines[1]!.text).toBe(long)
  })

  it('[I2] any text in any encoding gives the same lines, and each line’s bytes are where it says', async () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((s) => s.replace(/[\r\n\0\ufeff]/g, '·'))
    const encodings = fc.constantFrom('utf8' as const, 'utf16le' as const, 'utf16be' as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        encodings,
        fc.boolean(),
        async (texts, end, encoding, bom) => {
          // Only a byte order mark says UTF-16.
          const file = encode(
            texts.map((t) => t + end).join(''),
            encoding,
            bom || encoding !== 'utf8',
          )
          const lines = await all(file)
          expect(lines.map((l) => l.text)).toEqual(texts)
          for (const read of lines) {
            expect((await readRange(file, read, 1000)).text).toBe(read.text)
          }
        },
      ),
      casesOf('files: lines'),
    )
  })

  it('reads a path as it reads bytes, with rising progress', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-lines-'))
    try {
      const file = join(folder, 'any.bin')
      const bytes = Buffer.from('0123456789abcdef\n'.repeat(200_000))
      await writeFile(file, bytes)
      const done: number[] = []
      const lines = await all(file, { onBytes: (n) => done.push(n) })
      // A comparison of two texts: that of 200,000 objects takes seconds.
      expect(JSON.stringify(lines) === JSON.stringify(await all(bytes))).toBe(true)
      expect(done.length).toBeGreaterThan(2)
      expect(done).toEqual(done.toSorted((a, b) => a - b))
      expect(done.at(-1)).toBe(bytes.length)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('stops with the signal’s reason when aborted', async () => {
    const controller = new AbortController()
    const bytes = Buffer.alloc(5 << 20, 'line\n')
    let batches = 0
    const reading = (async () => {
      for await (const batch of readLines(bytes, { signal: controller.signal })) {
        batches += batch.length > 0 ? 1 : 0
        controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(batches).toBe(1)
  })
})
