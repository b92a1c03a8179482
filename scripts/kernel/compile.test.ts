import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compileKernel, KERNEL, moduleText } from './compile.ts'

it('[D36] the committed module is what the source compiles to', async () => {
  // Otherwise run: node scripts/kernel/compile.ts
  expect(moduleText(await compileKernel())).toBe(await readFile(KERNEL, 'utf8'))
})
