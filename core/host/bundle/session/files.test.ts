import { createHash } from 'node:crypto'
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { makeFolder } from '../../../../fixtures/host.ts'
import { filesFor } from './build-step.ts'
import { openMemoryFiles } from './memory-files.ts'
import { newestLines, openRootFiles } from './root-files.ts'

const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

describe('[A6] files of a root', () => {
  const outside = makeFolder({ 'secret.txt': 'secret' })
  const root = makeFolder({ 'a/m.json': '{"x": "é"}', 'a/b.json': 'b', 'a/notes/c.json': '' })
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(outside, join(root, 'folder'))
  const files = openRootFiles([root])

  it('[A6] are read with size and hash', () => {
    const text = '{"x": "é"}'
    const size = Buffer.byteLength(text)
    expect(files.read('a/m.json', 100)).toEqual({ kind: 'ok', text, size, sha256: sha(text) })
    expect(files.read('a/m.json', 3)).toEqual({ kind: 'too_large', size })
    expect(files.digest('a/m.json', null)).toEqual({ kind: 'ok', size, sha256: sha(text) })
    expect(files.digest('a/m.json', 2)).toMatchObject({ size, sha256: sha('"}') })
    expect(files.read('a/none.json', 9)).toEqual({ kind: 'missing' })
    expect(files.list('a').toSorted()).toEqual(['b.json', 'm.json', 'notes'])
    expect(files.list('nowhere')).toEqual([])
  })

  it.each(['../x', 'a/../../x', '/etc/passwd', 'link.txt', 'folder/secret.txt', 'a\0b', '..'])(
    '[A6] no path leads out: %j',
    (path) => {
      for (const answer of [
        files.read(path, 99),
        files.digest(path, null),
        files.newestLines(path, 9),
      ])
        expect(JSON.stringify(answer)).toMatch(/"unreadable".*leads out/u)
    },
  )

  it('[A6] a folder is no file, and no folder outside is listed', () => {
    expect(files.read('a', 99)).toEqual({ kind: 'unreadable', reason: 'not a file' })
    expect(files.list('..')).toEqual([])
  })

  it('[A6] a hash follows its file', () => {
    const path = join(root, 'grow.txt')
    writeFileSync(path, 'one')
    expect(files.digest('grow.txt', null)).toMatchObject({ sha256: sha('one') })
    writeFileSync(path, 'three')
    expect(files.digest('grow.txt', null)).toMatchObject({ sha256: sha('three') })
  })

  it('[A6] the second root has what the first lacks; a record stays inside the workspace', () => {
    const second = makeFolder({ 'a/b.json': 'second', 'only.txt': 'here' })
    const both = openRootFiles([root, second])
    expect(both.read('a/b.json', 99)).toMatchObject({ text: 'b' })
    expect(both.read('only.txt', 99)).toMatchObject({ text: 'here' })
    const named = filesFor({ root: 'a' }, [root], null)
    expect(named.ok && named.value.read('b.json', 9)).toMatchObject({ text: 'b' })
    expect(filesFor({ root: '../..' }, [root], null)).toMatchObject({ ok: false })
    const chosen = filesFor({ root: '../..' }, [root], second)
    expect(chosen.ok && chosen.value.read('only.txt', 9)).toMatchObject({ text: 'here' })
  })
})

describe('[A15] lines from the end', () => {
  const folder = makeFolder()
  const path = join(folder, 'lines.jsonl')
  mkdirSync(folder, { recursive: true })
  const read = (text: string, fromEnd: number | null = null) => {
    writeFileSync(path, text)
    const { size } = statSync(path)
    return [...newestLines(path, size, fromEnd === null ? 0 : Math.max(0, size - fromEnd))]
  }

  it('[A15] are the lines of the file in reverse, whatever their sizes are', () => {
    const part = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\n\n', 'é', '特', ''),
      fc.nat({ max: 700_000 }).map((size) => 'x'.repeat(size)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        expect(read(text)).toEqual(text === '' ? [] : text.split('\n').toReversed())
      }),
      casesOf('bundle: reversed lines'),
    )
  })

  it('[A15] a line that begins before what may be read is not given', () => {
    expect(read('one\ntwo\nthree\n', 11)).toEqual(['', 'three', 'two'])
    expect(read('one\ntwo\nthree\n', 10)).toEqual(['', 'three'])
    expect(read('one\ntwo\nthree\n', 3)).toEqual([''])
  })

  it('[A15] a byte order mark is no part of the first line; a line over 8 MiB is none', () => {
    expect(read('\uFEFF{"a": 1}\n{}')).toEqual(['{}', '{"a": 1}'])
    const lengths = (text: string) => read(text).map((line) => line?.length ?? null)
    expect(lengths(`first\n${'x'.repeat(8_388_608)}\nlast`)).toEqual([4, 8_388_608, 5])
    expect(lengths(`first\n${'x'.repeat(8_388_609)}\nlast`)).toEqual([4, null, 5])
    expect(lengths(`first\n${'x'.repeat(9_400_000)}\nlast`)).toEqual([4, null, 5])
  })

  it('[A15] files in memory answer as files on disk', () => {
    const text = 'one\ntwo\nthree\n'
    const memory = openMemoryFiles({ 'h.jsonl': text })
    const disk = openRootFiles([makeFolder({ 'h.jsonl': text })])
    for (const most of [null, 100, 11, 3]) {
      const a = memory.newestLines('h.jsonl', most)
      const b = disk.newestLines('h.jsonl', most)
      if (a.kind !== 'ok' || b.kind !== 'ok') throw new Error('no file')
      expect([...a.lines]).toEqual([...b.lines])
      expect([a.size, a.partial]).toEqual([b.size, b.partial])
      expect(memory.digest('h.jsonl', most)).toEqual(disk.digest('h.jsonl', most))
    }
  })
})
