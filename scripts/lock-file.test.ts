import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      /** A folder of this repository, not a package. */
      link: z.boolean().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})
const Package = z.object({
  allowScripts: z.record(z.string(), z.boolean()),
  workspaces: z.array(z.string()),
})
const OwnNode = z.object({ optionalDependencies: z.record(z.string(), z.string()) })

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const lock = Lock.parse(JSON.parse(read('package-lock.json')))
const own = Package.parse(JSON.parse(read('package.json')))
const OWN_NODE = 'scripts/own-node'
const ownNode = OwnNode.parse(JSON.parse(read(`${OWN_NODE}/package.json`)))
/** Those of `npm ci`, of tests and packager, and of the model (F128). */
const LOCKS = ['.', 'scripts/tool-packages', 'scripts/model-packages']
const locked = LOCKS.flatMap((folder) =>
  Object.entries(Lock.parse(JSON.parse(read(`${folder}/package-lock.json`))).packages),
).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)

test('every package of the lock files is pinned by a hash', () => {
  expect(locked.length).toBeGreaterThan(600)
  const open = locked.filter(([, { integrity }]) => integrity === undefined)
  expect(open.map(([path]) => path)).toEqual([])
})

test('no install script runs: what it would fetch, no lock file covers', () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//u, ''))
  expect(scripted.filter((name) => own.allowScripts[name] !== false)).toEqual([])
  expect(Object.values(own.allowScripts)).not.toContain(true)
  // The other sets have packages with one, and are installed without.
  expect(read('scripts/packages.ts')).toContain("'--ignore-scripts'")
})

test('Node comes as one package a platform, each of the major that Electron embeds', () => {
  const named = [...read('bin/turnscope.cjs').matchAll(/'(node-[a-z0-9-]+)\/bin\/node/gu)]
  const packages = named.map(([, name = '']) => name)
  expect(packages).toHaveLength(5)
  // In a separate workspace, so that the published package does not depend on them.
  expect(own.workspaces).toEqual([OWN_NODE])
  expect(Object.keys(ownNode.optionalDependencies).toSorted()).toEqual(packages.toSorted())
  for (const name of packages) {
    expect(lock.packages[`node_modules/${name}`]?.version).toMatch(/^24\./u)
    expect(lock.packages[`node_modules/${name}`]?.integrity).toMatch(/^sha512-/u)
  }
})
