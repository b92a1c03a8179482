import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const HERE = fileURLToPath(new URL('./compile-patterns.ts', import.meta.url))

/** Whether V8 has byte code of a pattern that ran once. */
function hasByteCode(before: string): unknown {
  const code = `${before}
    const pattern = /(?:alpha|beta|gamma)+ \\w+/
    pattern.test('alpha one')
    console.log(%RegexpHasBytecode(pattern, true))`
  const args = ['--allow-natives-syntax', '--input-type=module', '-e', code]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

it('[C24] a pattern is compiled at its first run', () => {
  const call = `import { compilePatternsAtOnce } from ${JSON.stringify(HERE)}; compilePatternsAtOnce()`
  expect(hasByteCode('')).toBe(true)
  expect(hasByteCode(call)).toBe(false)
})
