import { readdirSync, readlinkSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { DiskTextStore } from './text-store.ts'

/** Any UTF-16 units: halves of surrogate pairs too. */
const units = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe00f })))
  .map((codes) => String.fromCharCode(...codes))
const texts = fc.array(fc.oneof(units, fc.string({ unit: 'grapheme' }), fc.string()), {
  maxLength: 60,
})

test('[I50] every text comes back unit for unit, from memory and from the file, in any order', () => {
  const folder = makeFolder()
  fc.assert(
    fc.property(
      texts,
      fc.nat(400),
      fc.integer({ min: 1, max: 90 }),
      (all, memoryBytes, chunkBytes) => {
        const store = new DiskTextStore({ memoryBytes, chunkBytes, folder })
        const handles = all.map((text) => store.put(text))
        expect(handles.map((handle) => store.get(handle))).toEqual(all)
        for (const at of [...all.keys()].reverse()) {
          // Reading and writing take turns while a file is read.
          const more = store.put(all[at]!)
          expect(store.get(handles[at]!)).toBe(all[at])
          expect(store.get(more)).toBe(all[at])
        }
        store.close()
      },
    ),
    casesOf('files: text store'),
  )
})

test('[I50] beyond its bound it holds texts in a file without a name, and lets go of it', () => {
  const folder = makeFolder()
  const store = new DiskTextStore({ memoryBytes: 1 << 20, chunkBytes: 1 << 16, folder })
  const text = 'Every text is a little longer than a line. '.repeat(50)
  const handles = Array.from({ length: 2000 }, (_, at) => store.put(`${text}${at}`))
  const { memory, file } = store.size()
  expect(memory).toBeLessThan(2 << 20)
  expect(file).toBeGreaterThan(2_000_000)
  expect(readdirSync(folder)).toEqual([])
  const open = () =>
    process.platform === 'linux'
      ? readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(folder)).length
      : 0
  expect(open()).toBe(process.platform === 'linux' ? 1 : 0)
  expect(store.get(handles[1999]!)).toBe(`${text}1999`)
  store.close()
  expect(open()).toBe(0)
  expect(() => store.get(handles[0]!)).toThrow('given back')
})

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
