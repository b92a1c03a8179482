import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { buildIfStale, ROOT } from './build.ts'
import { writeStubDistribution } from './stub-distribution.ts'

/** What the packages hold, checked without an Electron: nothing that these tests make can run. */
const CONFIG = join(ROOT, 'electron-builder.yml')
const folder = mkdtempSync(join(tmpdir(), 'turnscope-packaging-'))
const resources = join(folder, 'out/linux-unpacked/resources')
const packageJson = z
  .object({ main: z.string(), devDependencies: z.record(z.string(), z.string()) })
  .parse(readJson(join(ROOT, 'package.json')))

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** electron-builder's own validation; its modules are CommonJS without types for this door. */
async function validate(config: object): Promise<void> {
  const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
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

  it('publishes nowhere and builds for three systems', () => {
    expect(config).toMatchObject({
      publish: null,
      asar: true,
      linux: { target: ['AppImage', 'deb'] },
      mac: { target: ['dmg'], hardenedRuntime: true },
      win: { target: ['nsis'] },
    })
  })
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
    const stub = join(folder, 'stub')
    writeStubDistribution(stub)
    const builder = join(ROOT, 'node_modules/electron-builder/cli.js')
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
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('the archive holds the bundles, the built page and package.json, nothing else', () => {
    const names = (kind: string) => files.filter((file) => file.startsWith(`/dist/${kind}/`))
    // The two entries and what they share.
    expect(names('main').filter((file) => !/^\/dist\/main\/[\w-]+\.cjs$/.test(file))).toEqual([])
    expect(names('main')).toContain('/dist/main/worker.cjs')
    expect(names('preload')).toEqual(['/dist/preload/preload.cjs'])
    const page = /^\/dist\/renderer\/(?:index\.html|assets|assets\/[\w-]+\.(?:js|css|woff2|svg))$/
    expect(names('renderer').filter((file) => !page.test(file))).toEqual([])
    expect(names('renderer')).toContain('/dist/renderer/index.html')
    const rest = files.filter((file) => !/^\/dist\/(?:main|preload|renderer)\//.test(file))
    const folders = ['/dist', '/dist/main', '/dist/preload', '/dist/renderer']
    expect([...rest].sort()).toEqual([...folders, '/package.json'])
  })

  it('main of package.json is in the archive', () => {
    expect(files).toContain(`/${packageJson.main}`)
  })

  it('profiles, prompts and samples lie beside it as plain files', () => {
    const shipped = readdirSync(join(resources, 'shipped'), { recursive: true, encoding: 'utf8' })
    expect(shipped).toContain('profiles/presets/recommended.yaml')
    expect(shipped).toContain('profiles/domains/default.yaml')
    expect(shipped).toContain('fixtures/samples.json')
    const { samples } = z
      .object({ samples: z.array(z.object({ file: z.string() })) })
      .parse(readJson(join(ROOT, 'fixtures/samples.json')))
    for (const { file } of samples) expect(shipped).toContain(`fixtures/sessions/${file}`)
    const wanted =
      /^(?:LICENSE|NOTICE|(?:profiles|prompts|fixtures)(?:\/.*\.(?:yaml|json|jsonl|md|gbnf))?)$/
    const isFolder = (name: string) => !/\.\w+$/.test(name)
    expect(shipped.filter((name) => !wanted.test(name) && !isFolder(name))).toEqual([])
    expect(existsSync(join(resources, 'app.asar.unpacked'))).toBe(false)
  })

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
