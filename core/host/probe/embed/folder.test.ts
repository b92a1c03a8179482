import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { batchesOf } from './onnx-model.ts'
import { createEmbedders } from './embedders.ts'
import { readOnnxFolder } from './onnx-folder.ts'
import { shippedModelFolder } from './shipped-model.ts'
import { openedGate } from '../../../../fixtures/trust.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const work = mkdtempSync(join(tmpdir(), 'turnscope-folder-'))
const embedders = createEmbedders({
  shipped: ROOT,
  modelsDir: join(work, 'models'),
  env: {},
  trust: openedGate(),
})
let source = ''
let count = 0

beforeAll(async () => {
  const folder = await shippedModelFolder({ shipped: ROOT, modelsDir: work })
  if (!folder.ok) throw new Error(folder.error.what)
  source = folder.value
})
afterAll(async () => {
  await embedders.close()
  rmSync(work, { recursive: true, force: true })
})

/** A copy of a real model, spoiled by `change`. */
function copy(change: (folder: string) => void): string {
  const folder = join(work, `model-${(count += 1)}`)
  cpSync(source, folder, { recursive: true })
  change(folder)
  return folder
}
const write = (folder: string, name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
function settingsFor(path: string): ProbeSettings {
  const config = { kind: 'folder', title: 'Mine', path } as const
  return { embedder: 'mine', auto: false, embedders: { mine: config }, measured: {} }
}
async function embedIn(path: string): Promise<Float32Array> {
  const opened = await embedders.open('mine', settingsFor(path))
  if (!opened.ok) throw new Error(opened.error.what)
  const embedded = await opened.value.embed(['Tower Faction'], { aborted: false })
  if (!embedded.ok) throw new Error(embedded.error.what)
  return embedded.value[0]!
}
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

describe('a model in a folder', () => {
  it('[D24] a real one is loaded; its id is made of its files, its threshold is not known', async () => {
    const folder = copy(() => undefined)
    const opened = await embedders.open('mine', settingsFor(folder))
    expect(opened).toMatchObject({
      ok: true,
      value: { threshold: null, remote: false, dimensions: 384 },
    })
    expect(opened.ok && opened.value.id).toMatch(/^model-\d+:[0-9a-f]{12}$/)
    const [, listed] = await embedders.list(settingsFor(folder))
    expect(listed).toMatchObject({
      state: 'ready',
      threshold: null,
      measured: null,
      kind: 'folder',
    })
  })

  it('[D24] the pooling that the folder names is used, and is part of the id', async () => {
    const mean = copy((folder) =>
      write(folder, '1_Pooling/config.json', '{"pooling_mode_mean_tokens":true}'),
    )
    const first = copy((folder) =>
      write(folder, '1_Pooling/config.json', '{"pooling_mode_cls_token":true}'),
    )
    const plain = await embedIn(copy(() => undefined))
    expect(cosine(await embedIn(mean), plain)).toBeCloseTo(1, 5)
    expect(cosine(await embedIn(first), plain)).toBeLessThan(0.9)
    const ids = await Promise.all(
      [mean, first].map(async (folder) => {
        const opened = await embedders.open('mine', settingsFor(folder))
        return opened.ok ? opened.value.id.split(':')[1] : null
      }),
    )
    expect(ids[0]).not.toBe(ids[1])
  })

  it.each([
    ['no folder', '', (folder: string) => rmSync(folder, { recursive: true }), 'no such folder'],
    [
      'no config.json',
      'config.json',
      (folder: string) => rmSync(join(folder, 'config.json')),
      'config.json is missing',
    ],
    [
      'no tokenizer',
      'tokenizer.json',
      (folder: string) => rmSync(join(folder, 'tokenizer.json')),
      'tokenizer.json is missing',
    ],
    [
      'half a tokenizer',
      'tokenizer.json',
      (folder: string) => write(folder, 'tokenizer.json', '{"model":{"vocab"'),
      'it is no JSON',
    ],
    [
      'another JSON',
      'tokenizer.json',
      (folder: string) => write(folder, 'tokenizer.json', '[]'),
      'not what such a file holds',
    ],
    [
      'no model',
      '',
      (folder: string) => rmSync(join(folder, 'onnx'), { recursive: true }),
      'holds no ONNX model',
    ],
    [
      'an empty model',
      '',
      (folder: string) => write(folder, 'onnx/model.onnx', ''),
      'holds no ONNX model',
    ],
    [
      'a pooling that is not known',
      '1_Pooling/config.json',
      (folder: string) => write(folder, '1_Pooling/config.json', '{"pooling_mode_lasttoken":true}'),
      'pools its tokens',
    ],
  ])('[D24] %s is said', async (_, file, change, said) => {
    const folder = copy(change)
    const read = await readOnnxFolder(folder)
    expect(read).toMatchObject({ ok: false, error: { where: join(folder, file) } })
    expect(read.ok ? '' : read.error.what).toContain(said)
  })

  it.each([
    ['a damaged model', (folder: string) => write(folder, 'onnx/model.onnx', 'not a model at all')],
    [
      'a tokenizer without words',
      (folder: string) => write(folder, 'tokenizer.json', '{"model":{}}'),
    ],
    [
      'a kind of model that the library does not know',
      (folder: string) => write(folder, 'config.json', '{"model_type":"whisper"}'),
    ],
  ])('[D24] %s is a failure with words, kept in the list, and tried again', async (_, spoil) => {
    const folder = copy(spoil)
    const opened = await embedders.open('mine', settingsFor(folder))
    expect(opened).toMatchObject({ ok: false, error: { where: folder } })
    expect(opened.ok ? '' : opened.error.what).toMatch(
      /the model (?:cannot be loaded|failed) \(.+\)/,
    )
    const [, listed] = await embedders.list(settingsFor(folder))
    expect(listed).toMatchObject({ state: 'failed', problem: expect.any(String) as string })
    cpSync(source, folder, { recursive: true })
    expect((await embedders.open('mine', settingsFor(folder))).ok).toBe(true)
  })

  it('an embedder that nobody added is named', async () => {
    const opened = await embedders.open('other', settingsFor(work))
    expect(opened).toMatchObject({ error: { what: expect.stringContaining('other') as string } })
  })
})

describe('batches', () =>
  it('[D23] texts of like length go together, padding counts, and every text goes once', () => {
    const lengths = [10, 200, 11, 9, 300, 12]
    const batches = batchesOf(lengths, 64)
    expect(batches).toEqual([[3, 0, 2, 5], [1], [4]])
    for (const batch of batchesOf(Array<number>(100).fill(10), 64)) {
      expect(batch.length * 10).toBeLessThanOrEqual(64)
    }
    expect(batchesOf(lengths, 0)).toHaveLength(6)
    expect(batchesOf([], 64)).toEqual([])
  }))
