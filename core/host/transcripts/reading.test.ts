import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { makeFolder, valueOf } from '../../../fixtures/host.ts'
import { beginReading, type Reading } from './reading.ts'

const { signal } = new AbortController()
const HEADER = '{"type":"session","schemaVersion":1,"id":"s","title":"t"}\n'

async function begin(path: string): Promise<Reading> {
  return valueOf(await beginReading(path, { signal }))
}

async function readOn(reading: Reading, following: boolean): Promise<void> {
  const steps = reading.steps({ signal, following })
  while ((await steps.next()).done !== true) continue
}

function plain(transcript: ImportedTranscript) {
  const sessions = transcript.sessions.map(({ texts, ...session }) => ({
    ...session,
    events: plainEvents({ ...session, texts }),
  }))
  return { ...transcript, sessions }
}

/** Follows a file while it is written in pieces, and counts how often it was read from the beginning. */
async function followed(path: string, pieces: readonly Buffer[]) {
  let anew = 0
  let reading = await begin(path)
  await readOn(reading, true)
  for (const piece of pieces) {
    appendFileSync(path, piece)
    const state = await reading.look()
    if (state === 'grown') await readOn(reading, true)
    if ((await reading.look()) !== 'other') continue
    anew += 1
    reading.close()
    reading = await begin(path)
    await readOn(reading, true)
  }
  await readOn(reading, false)
  if ((await reading.look()) === 'other') {
    anew += 1
    reading = await begin(path)
    await readOn(reading, false)
  }
  return { transcript: plain(valueOf(reading.finish(true))), anew }
}

async function opened(path: string) {
  const reading = await begin(path)
  await readOn(reading, false)
  return plain(valueOf(reading.finish(true)))
}

const event = (text: string) => JSON.stringify({ kind: 'user', text })
const goodLine = fc.string({ unit: 'grapheme', maxLength: 30 }).map(event)
const anyLine = fc.oneof(
  { weight: 6, arbitrary: goodLine },
  goodLine.map((line) => line.slice(0, -3)),
  fc.tuple(goodLine, goodLine).map(([a, b]) => `${a}${b}`),
  fc.constantFrom('', '  ', '// a comment', '\0\0\0', '[1, 2]', 'null', '{"kind":"user"}'),
  goodLine.map((line) => `${line}\0\0`),
)
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n')
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })

function piecesOf(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = at.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b)
  const edges = [0, ...places, bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

test('[I54] following a file that is torn at any byte ends where opening it at the end begins', async () => {
  const path = join(makeFolder(), 'live.jsonl')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyLine, ending), { maxLength: 12 }),
      fc.boolean(),
      cuts,
      fc.constantFrom('utf8' as const, 'utf16le' as const),
      async (lines, isFinished, at, encoding) => {
        const text = lines.map(([line, end]) => `${line}${end}`).join('')
        const body = Buffer.from(isFinished ? text : text.slice(0, -1), encoding)
        writeFileSync(
          path,
          Buffer.from(
            `${encoding === 'utf8' ? '' : '\ufeff'}${HEADER}${event('first')}\n`,
            encoding,
          ),
        )
        const live = await followed(path, piecesOf(body, at))
        expect(live.transcript).toEqual(await opened(path))
      },
    ),
    casesOf('files: torn file'),
  )
})

test('[I54] lines that are written in pieces are taken once, without reading anew', async () => {
  const path = join(makeFolder(), 'live.jsonl')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(goodLine, ending), { maxLength: 12 }),
      cuts,
      async (lines, at) => {
        const body = Buffer.from(lines.map(([line, end]) => `${line}${end}`).join(''))
        writeFileSync(path, `${HEADER}${event('first')}\n`)
        const { transcript, anew } = await followed(path, piecesOf(body, at))
        expect(anew).toBe(0)
        expect(transcript.problemTotal).toBe(0)
        expect(transcript.sessions[0]!.events).toHaveLength(lines.length + 1)
      },
    ),
    casesOf('files: growing file'),
  )
})

test('[I54] an unfinished last line is listed when nobody waits for it, and not while somebody does', async () => {
  const path = join(makeFolder(), 'live.jsonl')
  writeFileSync(path, `${HEADER}${event('one')}\n{"kind":"user","te`)
  const reading = await begin(path)
  await readOn(reading, false)
  expect(valueOf(reading.snapshot(true)).problems.map((each) => each.code)).toEqual(['torn_line'])
  expect(valueOf(reading.snapshot(false)).problems).toEqual([])
  appendFileSync(path, 'xt":"two"}')
  await readOn(reading, true)
  expect(
    valueOf(reading.snapshot(true))
      .sessions.flatMap(plainEvents)
      .map((each) => each.text),
  ).toEqual(['one', 'two'])
  expect(await reading.look()).toBe('same')
})

test('[I53] truncated, rewritten, replaced and rotated files are others; gone ones are gone', async () => {
  const path = join(makeFolder(), 'live.jsonl')
  const whole = `${HEADER}${event('one')}\n${event('two')}\n`
  const change = async (act: () => void) => {
    writeFileSync(path, whole)
    const reading = await begin(path)
    await readOn(reading, true)
    expect(await reading.look()).toBe('same')
    act()
    return reading.look()
  }
  const { renameSync, rmSync, truncateSync } = await import('node:fs')
  expect(await change(() => appendFileSync(path, event('three')))).toBe('grown')
  expect(await change(() => truncateSync(path, 10))).toBe('other')
  expect(await change(() => writeFileSync(path, whole.replace('two', 'six') + whole))).toBe('other')
  expect(
    await change(() => {
      writeFileSync(`${path}.new`, `${whole}${whole}`)
      renameSync(`${path}.new`, path)
    }),
  ).toBe('other')
  expect(
    await change(() => {
      renameSync(path, `${path}.1`)
      writeFileSync(path, HEADER)
    }),
  ).toBe('other')
  expect(await change(() => rmSync(path))).toBe('gone')
})
