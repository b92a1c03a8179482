import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { CHECKS } from './checks.ts'
import { copyApp, startDouble, withDouble } from './launch.ts'
import { MUTANTS } from './mutants.ts'

/** Verifies the electron double: the named part must detect each damaged build. */
test.describe('electron double, mutants', () => {
  for (const { title, file, from, to, caughtBy } of MUTANTS) {
    test(`electron double: catches the mutant "${title}"`, async () => {
      const appPath = await copyApp()
      try {
        const path = join(appPath, 'dist', file)
        const built = await readFile(path, 'utf8')
        expect(built.split(from).length - 1, 'places to change').toBeGreaterThan(0)
        await writeFile(path, built.replaceAll(from, to))
        if ('start' in caughtBy) {
          await expect(startDouble({ appPath })).rejects.toThrow(caughtBy.start)
          return
        }
        await withDouble({ appPath }, async (double) => {
          await expect(CHECKS[caughtBy.check](double)).rejects.toThrow()
        })
      } finally {
        await rm(appPath, { recursive: true, force: true })
      }
    })
  }
})
