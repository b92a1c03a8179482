import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compileKernel, KERNELS, moduleText } from './compile.ts'

it.each(['scan.as', 'look.as'] as const)(
  '[D36] [F132] the committed module is what %s compiles to',
  async (source) => {
    // Otherwise run: node scripts/kernel/compile.ts
    expect(moduleText(await compileKernel(source))).toBe(await readFile(KERNELS[source], 'utf8'))
  },
)
