import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../build.ts'
import { runOxlint } from './oxlint.ts'
import { HOOKS, REPOSITORY, TYPED, TYPES } from './samples.ts'

// One run of the linter over texts that each break one rule, under the rules of the repository.

const Config = z.looseObject({
  jsPlugins: z.array(z.string()),
  rules: z.record(z.string(), z.unknown()),
  overrides: z.array(
    z.looseObject({ files: z.array(z.string()), rules: z.record(z.string(), z.unknown()) }),
  ),
})
const Report = z.looseObject({
  diagnostics: z.array(z.looseObject({ filename: z.string(), code: z.string() })),
})

const config = Config.parse(JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')))
const root = mkdtempSync(join(tmpdir(), 'turnscope-lint-'))
const found = new Map<string, Set<string>>()

/** Path of the example for a rule, because rules of React apply to the renderer only. */
const fileOf = (name: string): string => {
  const base = name.replaceAll(/[^a-z\d]+/giu, '-').toLowerCase()
  if (name in REPOSITORY) return REPOSITORY[name]?.path ?? base
  return name.startsWith('react/') ? `renderer/${base}.tsx` : `core/${base}.ts`
}

/** `eslint(no-console)` as `eslint/no-console`. */
const ruleOf = (code: string): string =>
  code.replace('react-hooks', 'react').replace('(', '/').replace(')', '')

const texts = {
  ...TYPED,
  ...HOOKS,
  ...TYPES,
  ...Object.fromEntries(Object.entries(REPOSITORY).map(([name, { text }]) => [name, text])),
}

beforeAll(() => {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const jsPlugins = config.jsPlugins.map((path) => join(ROOT, path))
  put('.oxlintrc.json', JSON.stringify({ ...config, jsPlugins }))
  put('tsconfig.base.json', readFileSync(join(ROOT, 'tsconfig.base.json'), 'utf8'))
  const compilerOptions = { lib: ['ES2024', 'DOM'], types: [], jsx: 'preserve' }
  put('tsconfig.json', JSON.stringify({ extends: './tsconfig.base.json', compilerOptions }))
  for (const [name, text] of Object.entries(texts)) put(fileOf(name), text)
  const { stdout } = runOxlint(['--type-aware', '--type-check', '--format', 'json'], {
    cwd: root,
    isShown: false,
  })
  for (const { filename, code } of Report.parse(JSON.parse(stdout)).diagnostics) {
    const codes = found.get(filename) ?? new Set()
    found.set(filename, codes.add(ruleOf(code)))
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('[F102] the lint', () => {
  test.each(Object.keys(texts))('%s is reported where it is broken', (name) => {
    expect([...(found.get(fileOf(name)) ?? [])]).toContain(name.replace(/ .*/u, ''))
  })

  test('each rule that asks for types, and each of React, has a text that breaks it', () => {
    const hooks = config.overrides.flatMap(({ rules }) => Object.keys(rules))
    const without = hooks.filter((name) => name.startsWith('react/') && !(name in HOOKS))
    // No text is known that breaks it and no other rule.
    expect(without).toEqual(['react/preserve-manual-memoization'])
    const off = Object.keys(TYPED).filter((name) => !(name in config.rules))
    expect(off).toEqual([])
  })
})
