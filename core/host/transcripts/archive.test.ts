import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Members } from '../../engine/import/source.ts'
import { ARCHIVE_LIMITS, openMembers, type ArchiveLimits } from './archive.ts'
import { makeZip, type ZipMember } from '../../../fixtures/zip.ts'

const LIMITS: ArchiveLimits = {
  entries: 1000,
  memberBytes: 100_000,
  totalBytes: 150_000,
  ratio: 20,
  ratioFrom: 10_000,
}

async function members(bytes: Buffer, limits = ARCHIVE_LIMITS): Promise<Members> {
  const opened = await openMembers(bytes, bytes.subarray(0, 4), limits)
  if (opened === null) throw new Error('not an archive')
  return opened
}

/** Text of a member, or why it cannot be read. */
async function textOf(from: Members, name: string): Promise<string> {
  const text = await from.text(name)
  return text.ok ? text.value : `! ${text.error.what}`
}

const good: ZipMember = { name: 'good.json', data: '{"good":"ö"}' }

describe('[I39] what an archive holds', () => {
  it.each([0, 8, 93])('members of method %i are read', async (method) => {
    const archive = await members(
      makeZip([good, { name: 'a/b.json', data: 'x'.repeat(70), method }]),
    )
    expect(archive.names).toEqual(['good.json', 'a/b.json'])
    expect(await textOf(archive, 'a/b.json')).toBe('x'.repeat(70))
    expect(await textOf(archive, 'good.json')).toBe('{"good":"ö"}')
    expect(await textOf(archive, 'other')).toMatch(/no such member/)
  })

  it('a path is read like bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-archive-'))
    try {
      const path = join(folder, 'log.eval')
      const bytes = makeZip([good])
      await writeFile(path, bytes)
      const archive = await openMembers(path, bytes.subarray(0, 4))
      expect(await textOf(archive!, 'good.json')).toBe('{"good":"ö"}')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('anything else is not an archive', async () => {
    expect(await openMembers(Buffer.from('PKG'), Buffer.from('PKG'))).toBeNull()
    expect(await openMembers(Buffer.from('{}'), Buffer.from('{}'))).toBeNull()
  })

  it('70,000 members with zip64 records are listed', async () => {
    const many = Array.from({ length: 70_000 }, (_, n) => ({
      name: `m/${n}`,
      data: '1',
      method: 0,
    }))
    const archive = await members(makeZip(many, true))
    expect(archive.names).toHaveLength(70_000)
    expect(await textOf(archive, 'm/69999')).toBe('1')
  })

  it('of members with one name the last counts, and that is said', async () => {
    const archive = await members(makeZip([good, { name: 'good.json', data: 'later' }]))
    expect(archive.names).toEqual(['good.json'])
    expect(archive.left).toEqual([{ name: 'good.json', why: 'a later member has the same name' }])
    expect(await textOf(archive, 'good.json')).toBe('later')
  })

  it('folders are not members', async () => {
    const archive = await members(makeZip([{ name: 'a/', data: '' }, good]))
    expect(archive.names).toEqual(['good.json'])
    expect(archive.left).toEqual([])
  })
})

describe('[I39] members that are left out', () => {
  const unsafe: ReadonlyArray<readonly [string, Partial<ZipMember>, RegExp]> = [
    ['an absolute path', { name: '/etc/passwd' }, /absolute/],
    ['a drive', { name: 'C:x.json' }, /absolute/],
    ['a way out', { name: 'a/../../x.json' }, /out of the archive/],
    ['a backslash', { name: 'a\\..\\x.json' }, /backslash/],
    ['a NUL', { name: 'x.json\0.png' }, /not a file name/],
    ['a symbolic link', { mode: 0o120777 }, /symbolic link/],
    ['encryption', { flags: 1 }, /encrypted/],
    ['an unknown method', { method: 14 }, /compression method \(14\)/],
  ]
  it.each(unsafe)('%s', async (_what, fields, why) => {
    const archive = await members(makeZip([good, { name: 'x.json', data: '1', ...fields }]))
    expect(archive.names).toEqual(['good.json'])
    expect(archive.left).toHaveLength(1)
    expect(archive.left[0]!.why).toMatch(why)
    expect(await textOf(archive, archive.left[0]!.name)).toMatch(/no such member/)
  })

  it('when all are, the archive is refused with the reason', async () => {
    const archive = await members(makeZip([{ ...good, flags: 1 }]))
    expect(archive.refusal).toMatchObject({
      what: 'the archive has no member that can be read: 1 left out, the first because it is encrypted',
      where: 'good.json',
    })
  })

  it('an empty archive is refused', async () =>
    expect((await members(makeZip([]))).refusal?.what).toBe(
      'the archive has no member that can be read',
    ))
})

describe('[I39] zip bombs', () => {
  it('a member that says it is too large, or too well packed, is left out', async () => {
    const zeros = { name: 'zeros', data: Buffer.alloc(50_000) }
    const large = { name: 'large', data: Buffer.alloc(100_001), method: 0 }
    const archive = await members(makeZip([good, zeros, large]), LIMITS)
    expect(archive.names).toEqual(['good.json'])
    expect(archive.left.map(({ why }) => why)).toEqual([
      'it unpacks to more than 20 times its size, as a zip bomb does',
      'unpacked it is larger than 0 MB',
    ])
  })

  it.each([8, 93])(
    'a member of method %i that lies about its size ends where the lie shows',
    async (method) => {
      const liar = { name: 'liar', data: Buffer.alloc(50_000_000), method, unpackedSize: 9000 }
      const archive = await members(makeZip([good, liar]), LIMITS)
      expect(archive.names).toContain('liar')
      expect(await textOf(archive, 'liar')).toBe('! it is larger than it says')
      expect(await textOf(archive, 'good.json')).toBe('{"good":"ö"}')
    },
  )

  it('members that share bytes are refused', async () => {
    const archive = await members(makeZip([good, { ...good, name: 'again', sharesBytesOf: 0 }]))
    expect(archive.refusal).toMatchObject({ where: 'good.json, again' })
    expect(archive.names).toEqual([])
  })

  it('so are too many members, and too much in total', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => ({ name: `${n}`, data: '' }))
    expect((await members(makeZip(many), LIMITS)).refusal?.what).toMatch(/1001 members/)
    const two = ['a', 'b'].map((name) => ({
      name,
      data: Buffer.alloc(90_000, 'abcdefgh'),
      method: 0,
    }))
    expect((await members(makeZip(two), LIMITS)).refusal?.what).toMatch(/unpacked it is larger/)
  })
})

describe('[I39] damage', () => {
  const bytes = makeZip([good, { name: 'b.json', data: 'b'.repeat(5000) }])

  it('a cut archive is a clear error, wherever it is cut', async () => {
    for (let at = 4; at < bytes.length; at += 1) {
      const archive = await members(bytes.subarray(0, at))
      expect(archive.refusal?.what).toMatch(/damaged or cut off|no member/)
    }
  })

  it('any changed byte gives members or a reason, never an exception', async () => {
    for (let at = 4; at < bytes.length; at += 1) {
      for (const flip of [0xff, 0x01, 0x80]) {
        const changed = Buffer.from(bytes)
        changed[at]! ^= flip
        const archive = await members(changed)
        for (const name of archive.names) {
          const text = await textOf(archive, name)
          expect([good.data, 'b'.repeat(5000)].includes(text) || text.startsWith('! ')).toBe(true)
        }
      }
    }
  })

  it('a wrong checksum costs the member', async () => {
    const archive = await members(makeZip([{ ...good, name: 'bad', crc: 1 }, good]))
    expect(await textOf(archive, 'bad')).toBe('! its checksum is wrong')
    expect(await textOf(archive, 'good.json')).toBe('{"good":"ö"}')
  })

  it('a member shorter than it says is one that ends too early', async () => {
    const archive = await members(makeZip([{ ...good, unpackedSize: 400 }]))
    expect(await textOf(archive, 'good.json')).toBe('! it ends too early')
  })

  it('a missing file is an error of the file system, not of the archive', async () => {
    const missing = openMembers(join(tmpdir(), 'no-such.eval'), Buffer.from('PK\x03\x04'))
    await expect(missing).rejects.toThrow(/ENOENT/)
  })
})
