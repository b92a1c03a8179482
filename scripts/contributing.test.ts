import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './build.ts'

/** Folders and files that the command line reads when it runs from its sources. */
const COPIED = [
  'addons',
  'bin',
  'core',
  'fixtures',
  'profiles',
  'prompts',
  'schemas',
  'package.json',
]
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
/** A path of a newcomer takes fewer lines than this. */
const MOST_LINES = 20

let copy = ''
beforeAll(() => {
  mkdirSync(join(ROOT, 'out'), { recursive: true })
  copy = mkdtempSync(join(ROOT, 'out/contributing-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The fenced blocks of a section, without their indentation. */
function blocksOf(title: string): readonly string[] {
  const section = PAGE.split(/^## /mu).find((part) => part.startsWith(title)) ?? ''
  return [...section.matchAll(/^ {3}```\w+\n(?<body>[\s\S]*?)^ {3}```$/gmu)].map((found) =>
    (found.groups?.['body'] ?? '').replaceAll(/^ {3}/gmu, ''),
  )
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  writeFileSync(join(copy, path), text)
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(join(copy, path), 'utf8')
  expect(text).toContain(from)
  write(
    path,
    text.replace(from, () => to),
  )
}

function turnscope(...args: readonly string[]): string {
  return execFileSync(process.execPath, [join(copy, 'bin/turnscope.cjs'), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, HOME: copy, XDG_CACHE_HOME: join(copy, 'cache') },
  })
}

it('the first signal rule decides the message that was decided wrongly', () => {
  const [message = '', signal = ''] = blocksOf('Your first signal rule')
  expect(signal.trim().split('\n').length).toBeLessThan(MOST_LINES)
  write('out/mine.txt', message)
  const domains = 'profiles/domains/default.yaml'
  expect(turnscope('explain', 'out/mine.txt#1')).not.toContain('bisect:')
  const [, before = ''] = readFileSync(join(copy, domains), 'utf8').split('  - name: bugfix\n')
  const head = before.slice(0, before.indexOf('    signals:\n') + '    signals:\n'.length)
  const row = signal.replaceAll(/^(?=.)/gmu, '      ')
  replaceIn(domains, head, head + row)
  const explained = turnscope('explain', 'out/mine.txt#1')
  expect(explained.split('\n')[0]).toContain('bugfix')
  expect(explained).toContain('bisect')
})

it('the first transcript format opens its files', () => {
  const [code = ''] = blocksOf('Your first transcript format')
  expect(code.trim().split('\n').length).toBeLessThan(MOST_LINES)
  write('core/engine/import/first-format/importer.ts', code)
  const table = 'core/engine/import/table.ts'
  const line = "import { firstFormat } from './first-format/importer.ts'\n"
  replaceIn(
    table,
    'export const IMPORTERS: readonly Importer[] = [\n',
    'export const IMPORTERS: readonly Importer[] = [\n  firstFormat,\n',
  )
  write(table, line + readFileSync(join(copy, table), 'utf8'))
  write('chat.jsonl', '{"by":"human","said":"Fix the login"}\n{"by":"bot","said":"Done"}\n')
  expect(turnscope('replay', 'chat.jsonl')).toMatch(/1 +user +bugfix .*Fix the login/u)
})
