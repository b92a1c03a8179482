/**
 * Types and lint of the whole repository in one process: a program of TypeScript per tsconfig, as
 * `check:types` has them, answers the questions of the typed lint rules as well. What both need is worked
 * out once, and a file is parsed once for all programs. Prints what is wrong; the exit code is 1 then.
 */
import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import tseslint from 'typescript-eslint'
import { ROOT } from './build.ts'

interface Project {
  /** Folder of the tsconfig. */
  readonly folder: string
  /** Projects whose globals this one has too: what is right there is right here, and not looked at again. */
  readonly includes: readonly string[]
}

/** A file is linted with the types of the first project that lists it. */
const PROJECTS: readonly Project[] = [
  { folder: 'core/engine', includes: [] },
  { folder: 'core', includes: ['core/engine'] },
  { folder: 'addons', includes: ['core/engine', 'core'] },
  { folder: 'electron', includes: ['core/engine', 'core'] },
  { folder: 'page', includes: ['core/engine', 'core'] },
  { folder: 'renderer', includes: ['core/engine'] },
  { folder: '.', includes: ['core/engine', 'core', 'addons', 'electron', 'page', 'renderer'] },
]

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n',
}

/** Text and tree of each file, for all programs: their options read files alike. */
const parsed = new Map<string, ts.SourceFile>()

function createProgram(folder: string): ts.Program {
  const path = join(ROOT, folder, 'tsconfig.json')
  const config = ts.readJsonConfigFile(path, (name) => ts.sys.readFile(name))
  const { options, fileNames, errors } = ts.parseJsonSourceFileConfigFileContent(
    config,
    ts.sys,
    dirname(path),
  )
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, FORMAT))
  const host = ts.createCompilerHost(options, true)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version, ...more) => {
    const known = parsed.get(name)
    if (known !== undefined) return known
    const file = read(name, version, ...more)
    if (file !== undefined) parsed.set(name, file)
    return file
  }
  return ts.createProgram({ rootNames: fileNames, options, host })
}

/** Problems of the files of a program that no project with its globals has looked at. */
function typeProblems(program: ts.Program, isChecked: (name: string) => boolean) {
  const own = program
    .getSourceFiles()
    .filter((file) => !file.fileName.includes('/node_modules/') && !isChecked(file.fileName))
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return { names: own.map((file) => file.fileName), problems }
}

/** The repository's own configuration; types come from the program instead of a language service. */
function createLint(program: ts.Program): ESLint {
  // The package declares the first parameter only; ESLint gives the options as the second.
  const parser = tseslint.parser as {
    parseForESLint(code: string, options: object): object
  }
  const withProgram = {
    ...parser,
    parseForESLint: (code: string, options: object) =>
      parser.parseForESLint(code, { ...options, projectService: false, programs: [program] }),
  }
  return new ESLint({
    cwd: ROOT,
    overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parser: withProgram } },
  })
}

/** Every file that `eslint .` looks at. */
async function lintedFiles(eslint: ESLint): Promise<readonly string[]> {
  const names = globSync('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', {
    cwd: ROOT,
    exclude: ['**/node_modules', 'dist', 'out', '.git'],
  }).map((name) => join(ROOT, name))
  const isIgnored = await Promise.all(names.map((name) => eslint.isPathIgnored(name)))
  return names.filter((_, index) => isIgnored[index] === false)
}

function say(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`)
}

const toLint = new Set(await lintedFiles(new ESLint({ cwd: ROOT })))
const checked = new Map<string, string>()
const counts = { types: 0, lint: 0, linted: 0 }
for (const { folder, includes } of PROJECTS) {
  const program = createProgram(folder)
  const isChecked = (name: string) => includes.includes(checked.get(name) ?? '')
  const { names, problems } = typeProblems(program, isChecked)
  for (const name of names) checked.set(name, folder)
  counts.types += problems.length
  if (problems.length > 0) say(ts.formatDiagnostics(problems, FORMAT))

  const own = program.getRootFileNames().filter((name) => toLint.delete(name))
  const eslint = createLint(program)
  const results = await eslint.lintFiles(own)
  const format = await eslint.loadFormatter('stylish')
  counts.linted += results.length
  counts.lint += results.reduce(
    (sum, { errorCount, warningCount }) => sum + errorCount + warningCount,
    0,
  )
  const text = await format.format(results)
  if (text !== '') say(text)
}
for (const name of toLint)
  say(`${relative(ROOT, name)}: belongs to no tsconfig, so it was not linted`)
say(
  `${checked.size} files type-checked, ${counts.types} problems; ` +
    `${counts.linted} files linted, ${counts.lint} problems`,
)
process.exitCode = counts.types + counts.lint + toLint.size > 0 ? 1 : 0
