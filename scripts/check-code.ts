/**
 * Types and lint of the whole repository: oxlint looks at every file once, with the types of the nearest tsconfig
 * that lists it (`check:types` says the same of types alone, and takes longer). What no tsconfig lists is a problem:
 * its types would stay unchecked. Prints what is wrong; the exit code is 1 then.
 */
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from './build.ts'
import { runOxlint } from './lint/oxlint.ts'
import { PROJECTS } from './types.ts'

function filesOf(folder: string): readonly string[] {
  const path = join(ROOT, folder, 'tsconfig.json')
  const config = ts.readJsonConfigFile(path, (name) => ts.sys.readFile(name))
  const { fileNames, errors } = ts.parseJsonSourceFileConfigFileContent(
    config,
    ts.sys,
    dirname(path),
  )
  if (errors.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: () => ROOT }
    throw new Error(ts.formatDiagnostics(errors, { ...host, getNewLine: () => '\n' }))
  }
  return fileNames.map((name) => relative(ROOT, name))
}

const listed = runOxlint(['--debug', 'files'], { cwd: ROOT, isShown: false })
const linted = listed.stdout.split('\n').filter((name) => /\.tsx?$/u.test(name))
const typed = new Set(PROJECTS.flatMap(filesOf))
const apart = linted.filter((name) => !typed.has(name))
for (const name of apart) process.stdout.write(`${name}: belongs to no tsconfig\n`)

const looked = runOxlint(['--type-aware', '--type-check'], { cwd: ROOT, isShown: true })
process.stdout.write(`${linted.length} files, types and lint\n`)
process.exitCode = looked.status === 0 && linted.length > 0 && apart.length === 0 ? 0 : 1
