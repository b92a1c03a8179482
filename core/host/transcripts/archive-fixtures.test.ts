import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVALS } from '../../../fixtures/evals-archive.ts'
import { openMembers } from './archive.ts'
import { makeZip } from '../../../fixtures/zip.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/import/inspect')

/** The readable contents of an archive. The bytes differ between versions of zlib and zstd. */
async function contents(bytes: Buffer): Promise<unknown> {
  const members = await openMembers(bytes, bytes)
  const texts = (members?.names ?? []).map(
    async (name) => [name, await members?.text(name)] as const,
  )
  return { left: members?.left, texts: await Promise.all(texts) }
}

describe.each(Object.entries(EVALS))('fixture %s', (name, members) =>
  it('[I30] holds what evals-archive.ts says', async () => {
    const path = join(FOLDER, name)
    const made = makeZip(members)
    if (!existsSync(path)) writeFileSync(path, made)
    expect(await contents(readFileSync(path))).toEqual(await contents(made))
  }),
)
