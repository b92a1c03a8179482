import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadOnnxRuntime } from '../core/host/probe/embed/onnx-runtime.ts'
import { makeFolder } from '../fixtures/host.ts'
import { ROOT } from './build.ts'
import { keptModelFiles, systemsOf } from './model-files.ts'
import { folderOf, installPackages, type PackageSet, SETS, toolPath } from './packages.ts'

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
const dependenciesOf = (folder: string) =>
  Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).dependencies

const folders: string[] = []
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true, force: true })))

/** A set without a package: npm has something to do, and nothing is fetched. */
function emptySet(): string {
  const manifest = { name: 'set', version: '1.0.0', dependencies: {} }
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } }
  const folder = makeFolder({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lock),
  })
  folders.push(folder)
  return folder
}

describe('[F128] packages that npm ci does not install', () => {
  const root = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).devDependencies

  it('each is needed by a script or a test, and no package of npm ci is one of them', () => {
    const names = globSync('{core,scripts,fixtures}/**/*.ts', {
      cwd: ROOT,
      exclude: ['**/node_modules', '**/packages.test.ts'],
    })
    const texts = names.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n')
    for (const set of Object.keys(SETS) as PackageSet[]) {
      const dependencies = Object.entries(dependenciesOf(folderOf(set)))
      expect(dependencies.length).toBeGreaterThan(2)
      for (const [name, version] of dependencies) {
        expect(version).toMatch(/^\d/u)
        expect(texts.includes(name.split('/').at(-1) ?? name), `${name} is named nowhere`).toBe(
          true,
        )
        expect(root[name] ?? 'file:scripts/left-out').toBe('file:scripts/left-out')
      }
    }
  })

  it('the runtimes are the versions that transformers.js names', () => {
    const wanted = dependenciesOf(join(ROOT, 'node_modules/@huggingface/transformers'))
    const pinned = dependenciesOf(folderOf('model'))
    for (const name of ['onnxruntime-node', 'onnxruntime-web'])
      expect(pinned[name]).toBe(wanted[name])
    // It imports this one without naming it.
    expect(root['onnxruntime-common']).toBe(pinned['onnxruntime-node'])
  })

  it('a set that is there as its lock file has it is left alone; another lock file installs it again, as a whole', () => {
    const folder = emptySet()
    expect(installPackages('tool', ['linux-x64'], folder)).toEqual({ ok: true, value: true })
    writeFileSync(join(folder, 'node_modules/of-before'), '')
    expect(installPackages('tool', ['linux-x64'], folder)).toEqual({ ok: true, value: false })
    const lock = join(folder, 'package-lock.json')
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`)
    expect(installPackages('tool', ['linux-x64'], folder)).toEqual({ ok: true, value: true })
    expect(readdirSync(join(folder, 'node_modules'))).not.toContain('of-before')
    expect(readdirSync(folder).toSorted()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
    ])
  })

  it('what cannot be installed is said with what to run, and what was there stays', () => {
    const folder = emptySet()
    expect(installPackages('tool', [], folder).ok).toBe(true)
    writeFileSync(join(folder, 'package-lock.json'), 'no JSON')
    expect(installPackages('tool', [], folder)).toMatchObject({
      ok: false,
      error: {
        what: expect.stringContaining('npm could not install') as string,
        do: expect.stringContaining('node scripts/packages.ts tool') as string,
      },
    })
    expect(readdirSync(folder).toSorted()).toEqual([
      'node_modules',
      'package-lock.json',
      'package.json',
    ])
  })

  it('of the runtimes, those stay whose systems are asked for', () => {
    const native = (systems: readonly string[]) =>
      keptModelFiles(systems).filter((path) => path.includes('/bin/'))
    expect(native(['linux-x64', 'darwin-arm64'])).toEqual([
      'onnxruntime-node/bin/napi-v6/linux/x64',
      'onnxruntime-node/bin/napi-v6/darwin/arm64',
    ])
    expect(systemsOf([])).toEqual([`${process.platform}-${process.arch}`])
    expect(systemsOf(['--linux', 'deb', '--x64', '--arm64'])).toEqual(['linux-x64', 'linux-arm64'])
    expect(systemsOf(['-mw', '--x64'])).toEqual(['darwin-x64', 'win32-x64'])
    expect(systemsOf(['--mac', '--universal'])).toEqual(['darwin-x64', 'darwin-arm64'])
  })
})

describe('[F130] where such a package is missing', () => {
  it('a test that needs it fails with the command that installs it', () => {
    expect(() => toolPath('no-such-tool/index.js')).toThrow(
      /no-such-tool.* is not installed.*node scripts\/packages\.ts tool/u,
    )
    expect(toolPath('electron-builder/cli.js')).toContain('tool-packages')
  })

  it('a model is not loaded, and the build is named', async () => {
    const empty = makeFolder({})
    folders.push(empty)
    await expect(loadOnnxRuntime(empty)).rejects.toThrow('npm run build')
  })
})
