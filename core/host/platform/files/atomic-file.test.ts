import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { openAtomic, saveText, writeFileAtomic } from './atomic-file.ts'

const MODULE = fileURLToPath(new URL('atomic-file.ts', import.meta.url))
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('[F13] saving keeps what is not the text', () => {
  it.each([0o644, 0o600, 0o664, 0o755])('mode %o stays', async (mode) => {
    const path = join(makeFolder({ 'a.yaml': 'old' }), 'a.yaml')
    chmodSync(path, mode)
    await writeFileAtomic(path, 'new')
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(modeOf(path)).toBe(mode)
  })

  it('a new file may be read by others, as the umask says; a secret may not', async () => {
    const folder = makeFolder()
    await writeFileAtomic(join(folder, 'new.yaml'), 'x')
    await writeFileAtomic(join(folder, 'key.json'), 'x', { isPrivate: true })
    // 0644 minus the umask is the mode that the system gives to such a file.
    writeFileSync(join(folder, 'plain'), '', { mode: 0o644 })
    expect(modeOf(join(folder, 'new.yaml'))).toBe(modeOf(join(folder, 'plain')))
    expect(modeOf(join(folder, 'key.json'))).toBe(0o600)
  })

  it('a secret in a file that others may read is closed to them', async () => {
    const path = join(makeFolder({ key: 'old' }), 'key')
    chmodSync(path, 0o644)
    await writeFileAtomic(path, 'new', { isPrivate: true })
    expect(modeOf(path)).toBe(0o600)
  })

  it.skipIf(process.getuid?.() !== 0)('the owner stays where the system allows it', async () => {
    const path = join(makeFolder({ a: 'old' }), 'a')
    chownSync(path, 1234, 2345)
    await writeFileAtomic(path, 'new')
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 })
  })

  it('a link stays a link, and what it points at is replaced', async () => {
    const folder = makeFolder({ 'real/a.yaml': 'old' })
    symlinkSync(join('real', 'a.yaml'), join(folder, 'link.yaml'))
    symlinkSync('link.yaml', join(folder, 'again.yaml'))
    await writeFileAtomic(join(folder, 'again.yaml'), 'new')
    expect(readlinkSync(join(folder, 'again.yaml'))).toBe('link.yaml')
    expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real/a.yaml'), 'utf8')).toBe('new')
    const out = await openAtomic(join(folder, 'link.yaml'))
    await out.write('export')
    await out.commit()
    expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real/a.yaml'), 'utf8')).toBe('export')
  })

  it('a link to a file that is not there yet makes that file', async () => {
    const folder = makeFolder()
    symlinkSync('later.yaml', join(folder, 'link.yaml'))
    await writeFileAtomic(join(folder, 'link.yaml'), 'new')
    expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'later.yaml'), 'utf8')).toBe('new')
  })

  it.each([
    ['CRLF', 'a\r\nb\r\n', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    ['CRLF kept by the editor', 'a\r\nb\r\n', 'a\r\nb\r\nc\r\n', 'a\r\nb\r\nc\r\n'],
    ['LF', 'a\nb\n', 'a\nb\nc\n', 'a\nb\nc\n'],
    ['mostly LF', 'a\nb\nc\r\n', 'a\nb\nc\r\nd\n', 'a\nb\nc\r\nd\n'],
    ['the mark of UTF-8', '\uFEFFa\nb\n', 'a\nc\n', '\uFEFFa\nc\n'],
    ['mark and CRLF', '\uFEFFa\r\nb\r\n', '\uFEFFa\nc\n', '\uFEFFa\r\nc\r\n'],
  ])('%s stays', async (_, before, edited, after) => {
    const path = join(makeFolder({ a: before }), 'a')
    await saveText(path, edited)
    expect(readFileSync(path, 'utf8')).toBe(after)
  })

  it.each([
    ['little', Buffer.from('\uFEFFname: ä\n', 'utf16le')],
    ['big', Buffer.from('\uFEFFname: ä\n', 'utf16le').swap16()],
  ])('a file in UTF-16 (%s endian) is refused and left alone', async (_, bytes) => {
    const path = join(makeFolder({ a: '' }), 'a')
    writeFileSync(path, bytes)
    await expect(saveText(path, 'name: b\n')).rejects.toThrow(/UTF-16/u)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })
})

describe('[F14] temporary files of writers that were killed', () => {
  const old = new Date(Date.now() - 120_000)
  const temporaries = (folder: string) =>
    readdirSync(folder).filter((name) => name.endsWith('.tmp'))

  async function killedWriter(folder: string): Promise<string> {
    const code = `const { openAtomic } = await import(${JSON.stringify(MODULE)})
      const file = await openAtomic(${JSON.stringify(join(folder, 'a.yaml'))})
      await file.write('half'); process.stdout.write('ready'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    return temporaries(folder)[0] ?? ''
  }

  it('are removed by the next write once they are older than a minute', async () => {
    const folder = makeFolder()
    const left = await killedWriter(folder)
    expect(left).not.toBe('')
    await writeFileAtomic(join(folder, 'b.yaml'), 'x')
    expect(temporaries(folder)).toEqual([left])
    utimesSync(join(folder, left), old, old)
    await writeFileAtomic(join(folder, 'b.yaml'), 'y')
    expect(readdirSync(folder)).toEqual(['b.yaml'])
  })

  it('are left alone while their writer lives, and so is what is not ours', async () => {
    const folder = makeFolder()
    const open = await openAtomic(join(folder, 'a.yaml'))
    const [own = ''] = temporaries(folder)
    const foreign = ['.a.yaml.1.tmp', 'mine.tmp', `.a.${'0'.repeat(12)}.tmp`, '.vim.swp']
    for (const name of foreign) writeFileSync(join(folder, name), '')
    // A folder with such a name is not ours, even if it matches the pattern.
    mkdirSync(join(folder, own.replace(/-\d+-/u, '-999999999-')))
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), old, old)
    const before = readdirSync(folder).length
    await writeFileAtomic(join(folder, 'b.yaml'), 'x')
    expect(readdirSync(folder)).toHaveLength(before + 1)
    await open.discard()
    expect(temporaries(folder)).not.toContain(own)
  })
})
