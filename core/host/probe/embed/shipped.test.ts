import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { createEmbedders } from './embedders.ts'
import { BUILT_MODEL, shippedModelFolder } from './shipped-model.ts'
import { openedGate } from '../../../../fixtures/trust.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const HELPERS = join(ROOT, 'fixtures/probe')
const SETTINGS: ProbeSettings = { embedder: 'minilm', auto: false, embedders: {}, measured: {} }
const folders: string[] = []

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-embed-'))
  folders.push(folder)
  return folder
}

/** A clone after its first `npm ci`: the script is there, and nothing was built yet. */
function freshRoot(): string {
  const root = freshFolder()
  symlinkSync(join(ROOT, 'scripts'), join(root, 'scripts'), 'dir')
  return root
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('the shipped model', () => {
  it('[D20] [D21] a fresh clone in an empty HOME embeds a sentence, two processes at once, and no network is asked', async () => {
    const root = freshRoot()
    const home = freshFolder()
    const attempts = join(freshFolder(), 'attempts')
    const offline = pathToFileURL(join(HELPERS, 'no-network.ts')).href
    const run = () =>
      promisify(execFile)(
        process.execPath,
        [join(HELPERS, 'embed-offline.ts'), root, join(home, 'models')],
        {
          env: {
            HOME: home,
            PATH: process.env['PATH'] ?? '',
            // The script that builds the model has no network either.
            NODE_OPTIONS: `--import=${offline}`,
            TURNSCOPE_TEST_ATTEMPTS: attempts,
          },
        },
      )
    for (const { stdout } of await Promise.all([run(), run()])) {
      const similarities = JSON.parse(stdout) as readonly number[]
      // all-MiniLM-L6-v2 documents 0.666, 0.105 and 0.141 for these sentences; weights of one byte differ that much.
      expect(similarities.map((value) => value.toFixed(3))).toEqual(['0.636', '0.084', '0.122'])
    }
    expect(existsSync(attempts)).toBe(false)
    expect(readdirSync(join(root, dirname(BUILT_MODEL)))).toEqual(['minilm'])
    expect(readdirSync(home)).toEqual([])
  })

  it('[D20] a damaged model is built again; without the script it says what to do', async () => {
    const root = freshRoot()
    const places = { shipped: root, modelsDir: join(root, 'models') }
    expect(await shippedModelFolder(places)).toEqual({ ok: true, value: join(root, BUILT_MODEL) })
    const file = join(root, BUILT_MODEL, 'onnx/model.onnx')
    const good = readFileSync(file)
    writeFileSync(file, good.subarray(0, 1000))
    expect((await shippedModelFolder(places)).ok).toBe(true)
    expect(readFileSync(file).equals(good)).toBe(true)

    const empty = freshFolder()
    const failed = await createEmbedders({
      ...places,
      shipped: empty,
      env: {},
      trust: openedGate(),
    }).open('minilm', SETTINGS)
    expect(failed).toMatchObject({
      ok: false,
      error: { do: expect.stringContaining('npm ci') as string },
    })
  })

  it('[D20] where the clone cannot be written, it is built beside the other models; where that fails too, it says why', async () => {
    const root = freshRoot()
    writeFileSync(join(root, 'dist'), 'a file where the folder would be')
    const modelsDir = join(root, 'models')
    const made = await shippedModelFolder({ shipped: root, modelsDir })
    expect(made.ok && made.value.startsWith(modelsDir)).toBe(true)
    const failed = await shippedModelFolder({ shipped: root, modelsDir: join(root, 'dist/models') })
    expect(failed).toMatchObject({
      ok: false,
      error: { what: expect.stringMatching(/cannot be written \((?:ENOTDIR|EEXIST)\)/u) as string },
    })
  })
})

describe('the shipped embedder', () => {
  const embedders = createEmbedders({
    shipped: ROOT,
    modelsDir: freshFolder(),
    env: {},
    trust: openedGate(),
  })
  const open = async () => {
    const opened = await embedders.open('minilm', SETTINGS)
    if (!opened.ok) throw new Error(opened.error.what)
    return opened.value
  }
  afterAll(() => embedders.close())

  async function embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const embedded = await (await open()).embed(texts, { aborted: false })
    if (!embedded.ok) throw new Error(embedded.error.what)
    return embedded.value
  }
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

  it('[D22] [D23] a text has the same vector of length 1 alone and among others, whatever their lengths', async () => {
    const texts = [
      'Tower Faction',
      'a',
      'The rafts of Greywater may not be drawn. '.repeat(9),
      'Rogue’s End',
    ]
    const together = await embed(texts)
    for (const [index, text] of texts.entries()) {
      const [alone] = await embed([text])
      expect(Math.sqrt(dot(alone!, alone!))).toBeCloseTo(1, 5)
      expect(dot(alone!, together[index]!)).toBeGreaterThan(0.99999)
    }
    expect(await embed([])).toEqual([])
  })

  it('[D22] a text is cut at 256 tokens: what follows changes nothing', async () => {
    const long = 'word '.repeat(254)
    const [cut, longer, shorter] = await embed([
      long,
      `${long} dragon `.repeat(50),
      'word '.repeat(100),
    ])
    expect(dot(cut!, longer!)).toBeCloseTo(1, 5)
    expect(dot(cut!, shorter!)).toBeLessThan(0.99999)
  })

  it('[D22] no text breaks it: empty, half a character, other scripts, a megabyte without a space', async () => {
    const vectors = await embed(['', '\ud83d', 'Привет 你好 🐉', '\0\u0007', 'x'.repeat(1_000_000)])
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4)
  })

  it('[D23] a cancelled run ends between two batches', async () => {
    const signal = { aborted: false }
    const running = (await open()).embed(Array<string>(200).fill('word '.repeat(150)), signal)
    setTimeout(() => {
      signal.aborted = true
    }, 20)
    expect(await running).toMatchObject({ ok: false, error: { what: 'cancelled' } })
  })

  it('[D25] carries its measured threshold; what was measured on this machine wins', async () => {
    const [before] = await createEmbedders({
      shipped: ROOT,
      modelsDir: '',
      env: {},
      trust: openedGate(),
    }).list(SETTINGS)
    expect(before).toMatchObject({
      state: 'not_loaded',
      id: 'minilm-l6-v2:f20d0d47',
      dimensions: 384,
      threshold: 0.35,
      measured: expect.stringContaining('37') as string,
      remote: false,
    })
    expect(await open()).toMatchObject({ threshold: 0.35, dimensions: 384 })
    const settings = { ...SETTINGS, measured: { minilm: { threshold: 0.41, queries: 12 } } }
    expect(await embedders.open('minilm', settings)).toMatchObject({ value: { threshold: 0.41 } })
    expect((await embedders.list(settings))[0]).toMatchObject({
      state: 'ready',
      threshold: 0.41,
      measured: expect.stringContaining('12') as string,
    })
  })
})
