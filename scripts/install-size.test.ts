import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../fixtures/host.ts'
import { ROOT } from './build.ts'
import {
  boundHere,
  installedPackages,
  installReport,
  MOST_MB,
  reasonOf,
  REASONS,
} from './install-size.ts'

const made = makeFolder()
afterAll(() => rmSync(made, { recursive: true, force: true }))

describe('[F129] what npm ci installs', () => {
  const installed = installedPackages(join(ROOT, 'node_modules'))

  it('each package above 20 MB has its reason, and all together stay below the bound on Linux x64', () => {
    expect(installed.length).toBeGreaterThan(300)
    expect(installReport(installed, boundHere()).problems).toEqual([])
  })

  it('each reason is that of a package that is installed', () => {
    const used = new Set(installed.map(({ name }) => reasonOf(name)))
    // Elsewhere a native part may be missing.
    if (boundHere() !== null) expect(REASONS.filter((each) => !used.has(each))).toEqual([])
  })

  it('a large package without a reason and a sum above the bound are said', () => {
    const packages = [
      { name: 'typescript', mb: 24 },
      { name: 'some-weights', mb: 50 },
      { name: 'small', mb: 19 },
    ]
    const report = installReport(packages, 90)
    expect(report).toMatchObject({ packages: 3, mb: 93 })
    expect(report.large.map(({ name, why }) => [name, why === null])).toEqual([
      ['some-weights', true],
      ['typescript', false],
    ])
    expect(report.problems).toEqual([
      expect.stringMatching(/^some-weights has 50 MB and no reason/u),
      expect.stringMatching(/^npm ci installs 93 MB, more than 90/u),
    ])
    expect(installReport(packages.slice(0, 1), MOST_MB).problems).toEqual([])
  })

  it('packages are counted one by one: scoped ones, those inside others, no links and nothing that npm did not bring', () => {
    const modules = join(made, 'node_modules')
    const files = ['a/x.js', '@s/b/x.js', 'a/node_modules/c/x.js', '.cache/big.bin', '../ours/x.js']
    for (const file of files) {
      mkdirSync(dirname(join(modules, file)), { recursive: true })
      writeFileSync(join(modules, file), Buffer.alloc(2 ** 20))
    }
    symlinkSync(join(made, 'ours'), join(modules, 'ours'), 'dir')
    const found = installedPackages(modules)
    expect(found.map(({ name }) => name).toSorted()).toEqual(['@s/b', 'a', 'c'])
    for (const { mb } of found) expect(mb).toBeCloseTo(1, 1)
  })
})
