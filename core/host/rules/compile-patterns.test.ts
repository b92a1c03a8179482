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

const CALL = `import { compilePatternsAtOnce } from ${JSON.stringify(HERE)}; compilePatternsAtOnce()`

it('[C24] a pattern is compiled at its first run', () => {
  expect(hasByteCode('')).toBe(true)
  expect(hasByteCode(CALL)).toBe(false)
})

/** Output of a process that interrupts a pattern. The pattern ran once, from byte code, before `CALL`. */
function interrupted(): string {
  const code = `import { runInThisContext } from 'node:vm'
    globalThis.pattern = /(?:a|a)+b/
    pattern.test('b')
    const { compilePatternsAtOnce } = await import(${JSON.stringify(HERE)})
    compilePatternsAtOnce()
    try {
      runInThisContext("pattern.test('a'.repeat(40))", { timeout: 50 })
    } catch (error) {
      console.log(error.code)
    }`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
}

it('[C24] a pattern that ran before goes on from its byte code, also when it is interrupted', () => {
  // Node ended with SIGSEGV here while the flag was that byte code is not used at all.
  expect(interrupted().trim()).toBe('ERR_SCRIPT_EXECUTION_TIMEOUT')
})
