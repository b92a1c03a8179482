import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import { extractAll, extractFile, listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { formatProblem } from '../core/engine/result.ts'
import { ADVICE_FILE } from '../core/host/automata/advice.ts'
import { stampOf } from '../core/host/automata/stamp.ts'
import { portOfWorker } from '../core/host/platform/threads/ports.ts'
import { trustPlace } from '../core/host/platform/trust/place.ts'
import type { ProbeThreadContract, ProbeThreadData } from '../core/wire/threads.ts'
import { connect } from '../core/wire/rpc.ts'
import { buildIfStale, ROOT } from './build.ts'
import { ACCEPTED, folders, licenceOf, noticeText } from './licences/notice.ts'
import { installPackages, toolPath } from './packages.ts'
import { writeStubDistribution } from './stub-distribution.ts'

/** Contents of the packages, checked without an Electron. The files built by these tests cannot run. */
const CONFIG = join(ROOT, 'electron-builder.yml')
const folder = mkdtempSync(join(tmpdir(), 'turnscope-packaging-'))
const resources = join(folder, 'out/linux-unpacked/resources')
const packageJson = z
  .object({ main: z.string(), devDependencies: z.record(z.string(), z.string()) })
  .parse(readJson(join(ROOT, 'package.json')))

/** Any attempt to connect or to look a name up is an error in a thread that is started with this. */
const NO_NETWORK = `data:text/javascript,${encodeURIComponent(`
  import dns from 'node:dns'
  import net from 'node:net'
  const refuse = () => { throw new Error('there is no network') }
  net.Socket.prototype.connect = refuse
  dns.lookup = refuse
  globalThis.fetch = refuse
`)}`

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** electron-builder's own validation; its modules are CommonJS without types for this door. */
async function validate(config: object): Promise<void> {
  const load = createRequire(toolPath('electron-builder/out/index.js'))
  const { validateConfiguration } = load('app-builder-lib/out/util/config/config') as {
    validateConfiguration: (config: object, log: object) => Promise<void>
  }
  const { DebugLogger } = load('builder-util') as { DebugLogger: new (on: boolean) => object }
  await validateConfiguration(config, new DebugLogger(false))
}

const config = parse(readFileSync(CONFIG, 'utf8')) as Record<string, unknown>

describe('electron-builder.yml', () => {
  it('is valid for the schema of the installed electron-builder', async () => {
    await validate(config)
    await expect(validate({ ...config, noSuchOption: 1 })).rejects.toThrow('noSuchOption')
  })

  it('publishes nowhere and builds for three systems', () =>
    expect(config).toMatchObject({
      publish: null,
      asar: true,
      linux: { target: ['AppImage', 'deb'] },
      mac: { target: ['dmg', 'zip'], hardenedRuntime: true },
      win: { target: ['nsis'] },
    }))
})

describe('electron of package.json', () => {
  const installed = join(ROOT, 'node_modules/electron')

  it('is pinned, and the installed one is that version', () => {
    const pinned = packageJson.devDependencies['electron']
    expect(pinned).toMatch(/^\d+\.\d+\.\d+$/)
    expect(readJson(join(installed, 'package.json'))).toMatchObject({ version: pinned })
  })

  it('knows the checksum of its Linux archive', () => {
    const name = `electron-v${packageJson.devDependencies['electron'] ?? ''}-linux-x64.zip`
    expect(readJson(join(installed, 'checksums.json'))).toHaveProperty(
      [name],
      expect.stringMatching(/^[0-9a-f]{64}$/),
    )
  })
})

describe('a layout on a stub distribution', () => {
  let files: readonly string[] = []

  beforeAll(() => {
    const built = buildIfStale()
    if (!built.ok) throw new Error(built.log)
    const runtimes = installPackages('model', ['linux-x64'])
    if (!runtimes.ok) throw new Error(formatProblem(runtimes.error))
    const stub = join(folder, 'stub')
    writeStubDistribution(stub)
    const builder = toolPath('electron-builder/cli.js')
    const args = ['--linux', 'dir', '--x64', '--config', CONFIG]
    const overrides = [`-c.electronDist=${stub}`, `-c.directories.output=${join(folder, 'out')}`]
    const ran = spawnSync(process.execPath, [builder, ...args, ...overrides], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    if (ran.status !== 0) throw new Error(`${ran.stdout}${ran.stderr}`)
    files = listPackage(join(resources, 'app.asar'), { isPack: false }).map((name) =>
      name.replaceAll('\\', '/'),
    )
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('the archive holds the bundles, the built page and package.json, nothing else', () => {
    const names = (kind: string) => files.filter((file) => file.startsWith(`/dist/${kind}/`))
    // The two entries and their shared chunks.
    expect(names('main').filter((file) => !/^\/dist\/main\/[\w.-]+\.cjs$/.test(file))).toEqual([])
    expect(names('main')).toContain('/dist/main/session.cjs')
    expect(names('main')).toContain('/dist/main/lab.cjs')
    expect(names('preload')).toEqual(['/dist/preload/preload.cjs'])
    const page = /^\/dist\/renderer\/(?:index\.html|assets|assets\/[\w-]+\.(?:js|css|woff2|svg))$/
    expect(names('renderer').filter((file) => !page.test(file))).toEqual([])
    expect(names('renderer')).toContain('/dist/renderer/index.html')
    const rest = files.filter((file) => !/^\/dist\/(?:main|preload|renderer)\//.test(file))
    const folders = ['/dist', '/dist/main', '/dist/preload', '/dist/renderer']
    expect([...rest].sort()).toEqual([...folders, '/package.json'])
  })

  it('main of package.json is in the archive', () =>
    expect(files).toContain(`/${packageJson.main}`))

  it('drivers of other stores are chunks of their own: the probe loads none before one is named', () => {
    const bundle = (file: string) =>
      extractFile(join(resources, 'app.asar'), file.replace(/^\//, '')).toString('utf8')
    const bundles = files.filter((file) => /^\/dist\/main\/.*\.cjs$/.test(file))
    for (const driver of ['PgvectorStore', 'QdrantStore', 'LanceStore']) {
      const holders = bundles.filter((file) => bundle(file).includes(`${driver} = class`))
      expect(holders).toEqual([expect.stringMatching(/driver\d*\.cjs$/) as string])
    }
  })

  it('profiles, prompts and samples lie beside it as plain files', () => {
    const shipped = readdirSync(join(resources, 'shipped'), { recursive: true, encoding: 'utf8' })
    expect(shipped).toContain('profiles/presets/recommended.yaml')
    expect(shipped).toContain('profiles/domains/default.yaml')
    expect(shipped).toContain('fixtures/samples.json')
    expect(shipped).toContain('tours/st-003.yaml')
    expect(shipped).toContain('schemas/domains.schema.json')
    const { samples } = z
      .object({ samples: z.array(z.object({ file: z.string() })) })
      .parse(readJson(join(ROOT, 'fixtures/samples.json')))
    for (const { file } of samples) expect(shipped).toContain(`fixtures/sessions/${file}`)
    const wanted =
      /^(?:LICENSE|NOTICE|(?:profiles|prompts|schemas|fixtures|tours)(?:\/.*\.(?:yaml|json|jsonl|md|gbnf|ts))?|(?:model|runtime|dist\/(?:page|automata))\/.*)$/
    const isFolder = (name: string) => !/\.\w+$/.test(name)
    expect(shipped.filter((name) => !wanted.test(name) && !isFolder(name))).toEqual([])
    expect(existsSync(join(resources, 'app.asar.unpacked'))).toBe(false)
  })

  it('[C14] [C23] [F107] the automata, what was found out and the advice of the signals that ship lie beside it, made for the matcher that is in it', () => {
    const names = readdirSync(join(resources, 'shipped/dist/automata'))
    expect(names.length).toBeGreaterThan(1)
    expect(names).toContain(ADVICE_FILE)
    for (const name of names) expect(name).toMatch(/^(?:[0-9a-f]{64}\.(?:bin|kept)|advice\.json)$/)
    const stamp = stampOf(ROOT)
    const bundles = readdirSync(join(ROOT, 'dist/main')).filter((name) => name.endsWith('.cjs'))
    const holds = (name: string) =>
      readFileSync(join(ROOT, 'dist/main', name), 'utf8').includes(stamp)
    expect(bundles.filter(holds)).toHaveLength(1)
  })

  it('NOTICE names every package that the bundles hold a part of, with its licence', () => {
    // After a change of packages: `npm run build`, then `node scripts/licences/notice.ts`.
    expect(readFileSync(join(ROOT, 'NOTICE'), 'utf8')).toBe(noticeText())
  })

  it('[F127] every such package has a licence that NOTICE satisfies', () => {
    const all = folders().map((folder) => licenceOf(join(ROOT, folder)))
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter(({ id }) => !ACCEPTED.has(id)).map(({ title }) => title)).toEqual([])
  })

  it('the sentence model and its runtimes lie beside it, for this system alone', () => {
    const shipped = join(resources, 'shipped')
    const below = (name: string) =>
      readdirSync(join(shipped, name), { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    expect(
      below('model')
        .map((path) => relative(shipped, path))
        .toSorted(),
    ).toEqual(
      ['config.json', 'onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json'].map(
        (name) => `model/minilm/${name}`,
      ),
    )
    const packages = join(shipped, 'runtime/node_modules')
    const native = below('runtime').filter((path) => /\.(?:node|so\.1|dylib|dll)$/.test(path))
    expect(native.map((path) => relative(packages, path)).toSorted()).toEqual(
      ['libonnxruntime.so.1', 'onnxruntime_binding.node'].map(
        (name) => `onnxruntime-node/bin/napi-v6/linux/x64/${name}`,
      ),
    )
    const bytes = [...below('model'), ...below('runtime')].map((path) => statSync(path).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000_000)
  })

  it.each([
    ['native code', 'native'],
    ['WebAssembly, where the native code is missing', 'wasm'],
  ])(
    '[D29] the packed thread of the probe embeds and finds, by %s, without a network',
    async (_, kind) => {
      const shipped = join(folder, `shipped-${kind}`)
      cpSync(join(resources, 'shipped'), shipped, { recursive: true })
      if (kind === 'wasm') {
        rmSync(join(shipped, 'runtime/node_modules/onnxruntime-node'), { recursive: true })
      }
      const packed = join(folder, `app-${kind}`)
      extractAll(join(resources, 'app.asar'), packed)
      const workspace = join(folder, `workspace-${kind}`)
      const data: ProbeThreadData = {
        workspace,
        shipped,
        trust: trustPlace({ workspace, shipped, env: {} }),
        stateDir: join(folder, `state-${kind}`),
      }
      const worker = new Worker(join(packed, 'dist/main/probe.cjs'), {
        workerData: data,
        env: { HOME: join(folder, `home-${kind}`) },
        execArgv: ['--import', NO_NETWORK],
      })
      try {
        const client = connect<ProbeThreadContract>(portOfWorker(worker))
        const found = await client.call('probe.text', {
          text: "What happened at Rogue's End after the Tower Faction arrived?",
          preset: 'recommended',
          options: {},
          embedder: null,
          settings: { embedder: 'minilm', auto: false, embedders: {}, measured: {} },
        })
        expect(found).toMatchObject({ primary_collection: 'dnd_campaign', errors: [] })
        const [best] = found.hits
        expect(best?.similarity).toBeGreaterThan(0.35)
      } finally {
        await worker.terminate()
      }
    },
    120_000,
  )

  it('the fuses are flipped as the checklist says', async () => {
    const wire = await getCurrentFuseWire(join(folder, 'out/linux-unpacked/turnscope'))
    const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE
    expect({
      RunAsNode: on(FuseV1Options.RunAsNode),
      EnableCookieEncryption: on(FuseV1Options.EnableCookieEncryption),
      EnableNodeOptionsEnvironmentVariable: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      EnableNodeCliInspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
      EnableEmbeddedAsarIntegrityValidation: on(
        FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      ),
      OnlyLoadAppFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      GrantFileProtocolExtraPrivileges: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      GrantFileProtocolExtraPrivileges: false,
    })
  })
})
