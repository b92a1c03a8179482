import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { REAL_TIME } from '../../platform/net/retry.ts'
import { createDownloads } from './downloads.ts'
import { createEmbedders } from './embedders.ts'
import { type PinnedModel, PINNED_MODELS } from './pinned-models.ts'
import { shippedModelFolder } from './shipped-model.ts'
import {
  type Asked,
  type TestServer,
  startServer,
} from '../../../../fixtures/probe/embed-servers.ts'
import { openedGate } from '../../../../fixtures/trust.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const work = mkdtempSync(join(tmpdir(), 'turnscope-download-'))
const slept: number[] = []
let ahead = 0
const TIME = {
  ...REAL_TIME,
  now: () => performance.now() + ahead,
  sleep: (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    slept.push(ms)
    ahead += ms
    return Promise.resolve()
  },
}
const live = () => new AbortController().signal
const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  slept.length = 0
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

const FILES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'onnx/model.onnx'] as const
let contents: ReadonlyMap<string, Buffer>
let known: PinnedModel

/** The shipped model replaces one of the hub: it is small, real, and on this machine. */
beforeAll(async () => {
  const folder = await shippedModelFolder({ shipped: ROOT, modelsDir: work })
  if (!folder.ok) throw new Error(folder.error.what)
  contents = new Map(FILES.map((path) => [path, readFileSync(join(folder.value, path))]))
  known = {
    model: 'someone/sentences',
    revision: '0123456789abcdef0123456789abcdef01234567',
    title: 'Sentences',
    licence: 'Apache-2.0',
    pooling: 'mean',
    limit: 128,
    files: [...contents].map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  }
})

type Answer = (asked: Asked, response: ServerResponse, count: number) => void

/** The hub, with ranges. */
const hubAnswer: Answer = ({ path, headers }, response) => {
  const name = path.split(`/resolve/${known.revision}/`)[1] ?? ''
  const bytes = contents.get(name)
  if (bytes === undefined) {
    response.writeHead(404).end()
    return
  }
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
  if (from === 0) response.writeHead(200, { 'content-length': bytes.length })
  else response.writeHead(206, { 'content-length': bytes.length - from, 'content-range': range })
  response.end(bytes.subarray(from))
}

async function hubOf(answer: Answer = hubAnswer): Promise<TestServer> {
  const server = await startServer(answer)
  closing.push(() => server.close())
  return server
}

let count = 0
function downloadsFrom(hub: string, idleMs = 5000) {
  const modelsDir = join(work, `models-${(count += 1)}`)
  return {
    modelsDir,
    downloads: createDownloads({ modelsDir, models: [known], hub, time: TIME, idleMs }),
  }
}
const isModel = ({ path }: Asked) => path.endsWith('/onnx/model.onnx')
const rangesOf = (server: TestServer) =>
  server.asked.filter(isModel).map(({ headers }) => headers.range ?? null)
const total = () => known.files.reduce((sum, file) => sum + file.bytes, 0)

describe('a model that the user fetches', () => {
  it('[D28] comes whole, says how far it is, and embeds like the original', async () => {
    const hub = await hubOf()
    const modelsDir = join(work, 'whole')
    const env = { HF_ENDPOINT: `${hub.url}/` }
    const embedders = createEmbedders({
      shipped: ROOT,
      modelsDir,
      env,
      trust: openedGate(),
      models: [known],
    })
    closing.push(() => embedders.close())
    const config = { kind: 'download', title: 'Sentences', model: known.model } as const
    const settings: ProbeSettings = {
      embedder: 'sentences',
      auto: false,
      embedders: { sentences: config },
      measured: {},
    }
    expect((await embedders.list(settings))[1]).toMatchObject({ state: 'missing', remote: false })
    expect(await embedders.open('sentences', settings)).toMatchObject({
      error: { what: expect.stringContaining('0 of 23 MB') as string, do: 'Start its download' },
    })
    expect(hub.asked).toEqual([])

    const steps: Array<readonly [number, number]> = []
    const fetched = await embedders.download(known.model, (...step) => steps.push(step), live())
    expect(fetched).toEqual({ ok: true, value: null })
    expect(steps.every(([done, of]) => done <= of && of === total())).toBe(true)
    expect(steps.map(([done]) => done)).toEqual(
      steps.map(([done]) => done).toSorted((a, b) => a - b),
    )
    expect(steps.at(-1)?.[0]).toBe(total())
    expect(await embedders.downloads()).toMatchObject([
      { model: known.model, bytes: total(), have: total(), licence: 'Apache-2.0' },
    ])

    const [own, shipped] = await Promise.all(
      ['sentences', 'minilm'].map(async (name) => {
        const opened = await embedders.open(name, settings)
        const embedded =
          opened.ok && (await opened.value.embed(['Tower Faction'], { aborted: false }))
        return embedded && embedded.ok ? embedded.value[0] : null
      }),
    )
    expect(own).toEqual(shipped)
    const before = hub.asked.length
    await embedders.download(known.model, () => undefined, live())
    expect(hub.asked).toHaveLength(before)
  })

  it('[D28] a connection that is cut, again and again, is taken up where it ended', async () => {
    let cuts = 0
    const hub = await hubOf((asked, response, n) => {
      if (!isModel(asked) || cuts === 3) {
        hubAnswer(asked, response, n)
        return
      }
      cuts += 1
      const bytes = contents.get('onnx/model.onnx')!
      const from = Number(/\d+/.exec(asked.headers.range ?? '0')?.[0])
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
      response.writeHead(from === 0 ? 200 : 206, {
        'content-length': bytes.length - from,
        'content-range': range,
      })
      response.write(bytes.subarray(from, from + 5_000_000), () => {
        response.destroy()
      })
    })
    const { downloads, modelsDir } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({ ok: true })
    const [first, ...rest] = rangesOf(hub)
    expect(first).toBeNull()
    expect(rest.length).toBeGreaterThanOrEqual(3)
    expect(rest.every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
    const folder = await downloads.folder(known.model)
    expect(folder.ok && folder.value.startsWith(modelsDir)).toBe(true)
    const file = readFileSync(join(folder.ok ? folder.value : '', 'onnx/model.onnx'))
    expect(file.equals(contents.get('onnx/model.onnx')!)).toBe(true)
  })

  it('[D28] stopped by the user, what is here stays, and the next start goes on from there', async () => {
    const hub = await hubOf((asked, response, n) => {
      if (!isModel(asked) || asked.headers.range !== undefined) hubAnswer(asked, response, n)
      else {
        response.writeHead(200)
        response.write(contents.get('onnx/model.onnx')!.subarray(0, 3_000_000))
      }
    })
    const { downloads } = downloadsFrom(hub.url)
    const stop = new AbortController()
    const stopped = downloads.fetch(
      known.model,
      (done) => {
        if (done >= 3_000_000) stop.abort()
      },
      stop.signal,
    )
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: { what: 'it is being fetched already' },
    })
    expect(await stopped).toMatchObject({
      error: { what: 'cancelled', do: expect.stringContaining('goes on') as string },
    })
    const [{ have } = { have: 0 }] = await downloads.list()
    expect(have).toBeGreaterThanOrEqual(3_000_000)
    expect(have).toBeLessThan(total())
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({ ok: true })
    expect(rangesOf(hub).at(-1)).toMatch(/^bytes=[1-9]\d*-$/)
  })

  it('[D28] a page in place of the file is refused before a byte of it is kept', async () => {
    const page = '<!doctype html><title>Sign in to this network</title>'
    const hub = await hubOf((_, response) => response.end(page))
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: { what: 'the server does not send the file (it has another size)' },
    })
    expect(await downloads.list()).toMatchObject([{ have: 0 }])
  })

  it('[D28] follows the hub to its storage', async () => {
    const storage = await hubOf()
    const hub = await hubOf(({ path }, response) =>
      response.writeHead(302, { location: `${storage.url}${path}` }).end(),
    )
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({ ok: true })
    expect(storage.asked).toHaveLength(FILES.length)
  })

  it('[D28] a server without ranges sends it all again', async () => {
    let isFirst = true
    const hub = await hubOf((asked, response, n) => {
      if (!isModel(asked)) hubAnswer(asked, response, n)
      else if (isFirst) {
        isFirst = false
        const bytes = contents.get('onnx/model.onnx')!
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, 4_000_000), () => {
          response.destroy()
        })
      } else response.end(contents.get('onnx/model.onnx'))
    })
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({ ok: true })
    expect(rangesOf(hub)).toHaveLength(2)
  })

  it('[D28] a file with another checksum is refused and not kept', async () => {
    const other = (path: string) => {
      const bytes = Buffer.from(contents.get(path)!)
      bytes[50] = (bytes[50] ?? 0) ^ 1
      return bytes
    }
    const hub = await hubOf((asked, response, n) => {
      if (asked.path.endsWith('/tokenizer.json')) response.end(other('tokenizer.json'))
      else hubAnswer(asked, response, n)
    })
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: { what: expect.stringContaining('SHA-256') as string },
    })
    expect((await downloads.folder(known.model)).ok).toBe(false)
    const small = known.files.filter(({ path }) => path.includes('config'))
    expect((await downloads.list())[0]?.have).toBe(small.reduce((sum, file) => sum + file.bytes, 0))
  })

  it('[D28] more bytes than the file has are not waited for', async () => {
    const hub = await hubOf((_, response) => {
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(10_000), () => setTimeout(more, 1))
      }
      response.writeHead(200)
      more()
    })
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: { what: expect.stringContaining('does not send the file') as string },
    })
  })

  it.each([
    ['a page that wants a key', 403, 'refused the key'],
    ['no such file', 404, 'does not send the file'],
    ['a server that fails', 500, 'the server failed'],
    ['a server that is asked too often', 429, 'fewer calls'],
  ])('[D28] %s is said', async (_, status, said) => {
    const hub = await hubOf((__, response) =>
      response.writeHead(status, { 'retry-after': '3' }).end(),
    )
    const { downloads } = downloadsFrom(hub.url)
    const result = await downloads.fetch(known.model, () => undefined, live())
    expect(result.ok ? '' : result.error.what).toContain(said)
    expect(slept.filter((ms) => ms === 3000)).toHaveLength(status === 429 || status === 500 ? 3 : 0)
  })

  it('[D28] without a network it says so, and how to do without', async () => {
    const hub = await startServer(hubAnswer)
    await hub.close()
    const { downloads } = downloadsFrom(hub.url)
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: {
        what: expect.stringContaining('cannot be reached (ECONNREFUSED)') as string,
        do: expect.stringContaining('copy the model into a folder') as string,
      },
    })
  })

  it('[D28] a connection that goes silent counts as cut', async () => {
    const hub = await hubOf((asked, response, n) => {
      if (asked.headers.range !== undefined) hubAnswer(asked, response, n)
      else {
        response.writeHead(200)
        response.write(
          contents.get(asked.path.split(`/resolve/${known.revision}/`)[1] ?? '')!.subarray(0, 1),
        )
      }
    })
    const { downloads } = downloadsFrom(hub.url, 400)
    // Each file stalls once, and its rest is requested.
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({ ok: true })
    const ranges = hub.asked.map(({ headers }) => headers.range ?? null)
    expect(ranges.filter((range) => range === 'bytes=1-')).toHaveLength(FILES.length)
  })

  it('[D28] a folder that cannot be written is said', async () => {
    const hub = await hubOf()
    writeFileSync(join(work, 'a-file'), '')
    const modelsDir = join(work, 'a-file')
    const downloads = createDownloads({ modelsDir, models: [known], hub: hub.url, time: TIME })
    expect(await downloads.fetch(known.model, () => undefined, live())).toMatchObject({
      error: { what: expect.stringContaining('cannot be written') as string, where: modelsDir },
    })
  })

  it('[D25] every known model is pinned by commit, and every file by size and checksum', () => {
    expect(PINNED_MODELS.length).toBeGreaterThanOrEqual(2)
    for (const { model, revision, files } of PINNED_MODELS) {
      expect(model).toMatch(/^[\w-]+\/[\w.-]+$/)
      expect(revision).toMatch(/^[0-9a-f]{40}$/)
      expect(files.some(({ path }) => path.startsWith('onnx/'))).toBe(true)
      for (const { bytes, sha256 } of files) {
        expect(bytes).toBeGreaterThan(0)
        expect(sha256).toMatch(/^[0-9a-f]{64}$/)
      }
    }
  })
})
