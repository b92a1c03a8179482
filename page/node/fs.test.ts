import { expect, test } from 'vitest'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from './fs.ts'
import { open, readFile, writeFile } from './fs-promises.ts'

test('[F200] a descriptor of the page names the file that its path names', async () => {
  await writeFile('/workspace/a.jsonl', 'one')
  const handle = await open('/workspace/a.jsonl', constants.O_RDONLY)
  expect(fstatSync(handle.fd).ino).toBe(lstatSync('/workspace/a.jsonl')?.ino)
  await writeFile('/workspace/a.jsonl', 'another')
  expect(fstatSync(handle.fd).ino).not.toBe(lstatSync('/workspace/a.jsonl')?.ino)
  await handle.close()
  expect(() => fstatSync(handle.fd)).toThrow('EBADF')
})

test.each([
  ['w', 'x'],
  [constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 'x'],
  ['a', 'longx'],
  [constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 'longx'],
  ['r+', 'xong'],
])('flags %s of the page write as the system would', async (flags, text) => {
  await writeFile('/workspace/b.txt', 'long')
  const fd = openSync('/workspace/b.txt', flags)
  writeSync(fd, new TextEncoder().encode('x'))
  closeSync(fd)
  expect(await readFile('/workspace/b.txt', 'utf8')).toBe(text)
})

test('what is missing is not made by reading, and what is there is not made anew', () => {
  expect(() => openSync('/workspace/none')).toThrow('ENOENT')
  closeSync(openSync('/workspace/new', 'wx'))
  expect(() => openSync('/workspace/new', 'wx')).toThrow('EEXIST')
  const fd = openSync('/workspace/new')
  expect(readSync(fd, new Uint8Array(4))).toBe(0)
  closeSync(fd)
})
