import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readGraph } from './affected.ts'
import { ROOT } from './build.ts'

/** Parts and rows of a capability. No other file names it. */
interface Capability {
  /** Its folders (ending in `/`) and files in every layer, with its end-to-end tests. */
  readonly parts: readonly string[]
  /** Its rows in the tables, by their file. Each occurs there once. */
  readonly rows: Readonly<Record<string, readonly RegExp[]>>
}

/** The rows of a feature of the window: its import, and its place in the list. */
const feature = (name: string) => ({
  'renderer/app/features.ts': [
    new RegExp(`^import \\{ ${name} \\} from .*\\n`, 'mu'),
    new RegExp(`^  ${name},\\n`, 'mu'),
  ],
})
/** The same for the calls of the wire, or of the threads. */
const calls = (name: string) => [
  new RegExp(`^import \\{ ${name} \\} from .*\\n`, 'mu'),
  new RegExp(`^  \\.\\.\\.${name},\\n`, 'mu'),
]
/** A command of the terminal. */
const command = (name: string) =>
  new RegExp(`^  \\{\\n    name: '${name}',\\n(?:    .*\\n)+  \\},\\n`, 'mu')
/** Handlers that a session's thread loads when they are asked. */
const onDemand = (name: string) =>
  new RegExp(`^    \\.\\.\\.lazyGroups\\(\\['${name}'\\],.*\\n(?:      .*\\n)+    \\),\\n`, 'mu')

const CAPABILITIES: Readonly<Record<string, Capability>> = {
  tours: {
    parts: [
      'renderer/features/tours/',
      'core/cli/tours/',
      'core/host/tours/',
      'core/engine/tour/',
      'core/wire/tours.ts',
      'e2e/tours.spec.ts',
    ],
    rows: {
      ...feature('touring'),
      'core/wire/contract.ts': calls('tourContract'),
      'core/host/entries/session-handlers-on-demand.ts': [onDemand('tour')],
      'core/cli/commands.ts': [command('tour')],
    },
  },
  pictures: {
    parts: [
      'renderer/features/pictures/',
      'core/cli/pictures/',
      'core/host/pictures/',
      'core/engine/draw/',
      'core/engine/schema/picture.ts',
      'core/wire/pictures.ts',
      'core/wire/internal/pictures.ts',
      'scripts/package/drawing.ts',
      'e2e/pictures.spec.ts',
    ],
    rows: {
      ...feature('pictures'),
      'core/wire/contract.ts': calls('picturesContract'),
      'core/wire/threads.ts': calls('pictureRows'),
      'core/host/entries/host.ts': [
        /^import \{ createPictureHandlers \} from .*\n/mu,
        /^ {4}\.\.\.createPictureHandlers\(.*\),\n/mu,
      ],
      'core/host/entries/session-handlers-on-demand.ts': [onDemand('pictures')],
      'core/cli/commands.ts': [command('draw')],
      'scripts/build/make.ts': [/^ {2}drawing: async .*\n(?: {4}.*\n)+ {2}\},\n/mu],
    },
  },
  presenter: {
    parts: ['renderer/features/presenter/', 'e2e/presenter.spec.ts'],
    rows: feature('presenting'),
  },
  'coach-lab': { parts: ['renderer/features/coach-lab/'], rows: feature('coachLab') },
  'probe-lab': { parts: ['renderer/features/probe-lab/'], rows: feature('probeLab') },
}

const isOf = (parts: readonly string[], path: string) =>
  parts.some((part) => (part.endsWith('/') ? path.startsWith(part) : path === part))

/** A file without rows; throws where a row is not there. */
function without(file: string, text: string, rows: readonly RegExp[]): string {
  return rows.reduce((rest, row) => {
    if (!row.test(rest)) throw new Error(`${file} has no row ${String(row)}`)
    return rest.replace(row, '')
  }, text)
}

/** Paths that a module names relative to itself. */
function named(file: string, text: string): readonly string[] {
  const found = text.matchAll(/['"`](\.\.?\/[^'"`\n$]+)['"`]/gu)
  return [...found].map(([, path = '']) => posix.join(dirname(file), path))
}

const { importers } = readGraph()

it.each(Object.entries(CAPABILITIES))(
  '%s: nothing but its rows names its files',
  (_, { parts, rows }) => {
    const others = [...importers]
      .filter(([file]) => isOf(parts, file))
      .flatMap(([, from]) => from)
      .filter((from) => !isOf(parts, from) && rows[from] === undefined)
    expect(others).toEqual([])
    for (const [file, gone] of Object.entries(rows)) {
      const rest = without(file, readFileSync(join(ROOT, file), 'utf8'), gone)
      expect(named(file, rest).filter((path) => isOf(parts, path))).toEqual([])
    }
  },
)

/** Folders that are copied. Tests and tools are left out, because each belongs to one capability or another. */
const SOURCES = ['addons', 'bin', 'core', 'electron', 'page', 'renderer'] as const
/** Programs as the compiler takes them together: with the types of Node alone, and of a page. */
const PROGRAMS = {
  host: { include: ['core', 'electron', 'addons'], compilerOptions: { lib: ['ES2024'] } },
  window: { include: ['renderer', 'page'], compilerOptions: { jsx: 'react-jsx' } },
}
/** Types of Node, of Vite's imports, and of the package that a page uses in place of a Node module. */
const TYPES = ['node', 'vite/client', 'path-browserify']

let copy = ''
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'turnscope-removed-'))
})
afterAll(() => rmSync(copy, { recursive: true }))

it('without all five the rest still has its types', () => {
  const all = Object.values(CAPABILITIES)
  const parts = all.flatMap((each) => each.parts)
  const isKept = (source: string) => {
    const path = source.slice(ROOT.length).replaceAll('\\', '/').replace(/^\//u, '')
    return (
      !/\.test\.tsx?$|node_modules/u.test(path) && !isOf(parts, path) && !isOf(parts, `${path}/`)
    )
  }
  for (const name of [...SOURCES, 'tsconfig.base.json', 'package.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isKept })
  for (const { rows } of all)
    for (const [file, gone] of Object.entries(rows)) {
      if (!SOURCES.some((folder) => file.startsWith(`${folder}/`))) continue
      const path = join(copy, file)
      writeFileSync(path, without(file, readFileSync(path, 'utf8'), gone))
    }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
  for (const [name, { include, compilerOptions }] of Object.entries(PROGRAMS)) {
    const config = join(copy, `tsconfig.${name}.json`)
    const types = name === 'host' ? ['node'] : TYPES
    const whole = {
      extends: './tsconfig.base.json',
      include,
      compilerOptions: { ...compilerOptions, types },
    }
    writeFileSync(config, JSON.stringify(whole))
    const args = [compiler, '-p', config, '--checkers', '1', '--pretty', 'false']
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  }
})
