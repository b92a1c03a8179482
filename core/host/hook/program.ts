import { delimiter, join, sep } from 'node:path'
import { type Result, err, ok } from '../../engine/result.ts'
import { realpathSync, statSync } from '../platform/files/fenced-fs.ts'

/** Where to look for a program. */
export interface Surroundings {
  /** Folder of this Turnscope, as `HOME` of `place.ts`. */
  readonly home: string
  /** The Node that runs it. */
  readonly node: string
  /** The variable PATH. */
  readonly path: string
  readonly version: string
}

/** Ways in which a command starts Turnscope. */
export interface Program {
  /** Absolute paths, as a shell reads them. For settings of this machine. */
  readonly here: string
  /** A name that a shell finds on PATH, or null when none is found there. For settings that others share. */
  readonly name: string | null
}

const isWindows = process.platform === 'win32'
const NAMES = isWindows ? ['turnscope.cmd', 'turnscope.exe'] : ['turnscope']

/** Folders that package runners fill for one run: npx, pnpm dlx, yarn dlx, bunx. */
const RUNNER = /^(?:_npx|dlx(?:-.*)?|bunx-.*|xfs-.*)$/u

/** Whether a package runner may delete this path after the run. */
function isTemporary(path: string): boolean {
  return path.split(/[\\/]/u).some((part) => RUNNER.test(part))
}

/** PATH without the folders that npm and its like add for one run only. */
export function stablePath(path: string): string {
  const isAdded = (folder: string) =>
    isTemporary(folder) || /[\\/]node_modules[\\/]\.bin[\\/]?$|node-gyp-bin[\\/]?$/u.test(folder)
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !isAdded(folder))
    .join(delimiter)
}

/**
 * [F196] The program that an agent can start at each prompt: this Turnscope, or the one on PATH when this one is in
 * the cache of a package runner. Fails when neither stays on disk.
 */
export function stableProgram(around: Surroundings): Result<Program> {
  const found = onPath(around.path)
  const name = found === null ? null : 'turnscope'
  const script = join(around.home, 'bin', 'turnscope.cjs')
  if (!isTemporary(real(script)) && !isTemporary(around.node))
    return ok({ here: `${quoted(around.node)} ${quoted(script)}`, name })
  if (found !== null) return ok({ here: quoted(found), name })
  return err({
    what: 'this Turnscope is in a cache that a package runner may delete, so its path would fail at a later prompt',
    where: around.home,
    do: `Run \`npm install --global turnscope\`, then \`turnscope hook install\` again. Or give --program "npx --yes turnscope@${around.version}", which starts more slowly`,
  })
}

/** Path of `turnscope` in a folder of PATH that stays, or null. */
function onPath(path: string): string | null {
  for (const folder of stablePath(path).split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name)
      if (isProgram(file) && !isTemporary(real(file))) return file
    }
  }
  return null
}

function isProgram(file: string): boolean {
  const info = statSync(file, { throwIfNoEntry: false })
  return info?.isFile() === true && (isWindows || (info.mode & 0o111) !== 0)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const quoted = (path: string): string => `"${path}"`

/** Whether a command names an absolute path, which is not the same on another machine. */
export function namesMachine(command: string): boolean {
  return /(?:^|[\s"'=])(?:[/~]|[A-Za-z]:[\\/]|\\\\)/u.test(command)
}

/** The words of a command that has quotes around words at most; null when a shell could read more into it. */
function wordsOf(command: string): readonly string[] | null {
  const text = isWindows ? command.replaceAll('\\', '/') : command
  if (!/^(?:\s*(?:"[^"$`\\!\r\n]*"|[\w./:@%+,=-]+))+\s*$/u.test(text)) return null
  return [...text.matchAll(/"([^"]*)"|[^\s"]+/gu)].map(([word, inner]) => inner ?? word)
}

/**
 * [F198] Whether a command of a project's settings starts a Turnscope that is known here: the one on PATH, or this one.
 * The settings of a project may have come with it.
 */
export function isKnownProgram(command: string, around: Surroundings): boolean {
  const words = wordsOf(command)
  const at = words?.indexOf('hook') ?? -1
  const program = words?.slice(0, at) ?? []
  if (program.length === 1) {
    const [word = ''] = program
    return word === 'turnscope' || (word.includes(sep) && word === onPath(around.path))
  }
  const [node = '', script = ''] = program
  const own = join(around.home, 'bin', 'turnscope.cjs')
  return program.length === 2 && real(node) === real(around.node) && real(script) === real(own)
}
