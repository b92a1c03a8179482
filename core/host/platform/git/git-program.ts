import { execFile } from 'node:child_process'
import { realpathSync, statSync } from '../files/fenced-fs.ts'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import type { Permit } from '../trust/gate.ts'

/**
 * [T60] A repository is as untrusted as a transcript: its `.git/config` and `.gitattributes` can name programs for
 * almost every git operation. These settings override those of all files. Other system and personal settings stay in
 * force, because they contain `safe.directory`.
 */
const CLOSED: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'core.askPass': '',
  'core.alternateRefsCommand': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.defaultKeyCommand': '',
  'gpg.x509.program': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'blame.ignoreRevsFile': '',
  'i18n.logOutputEncoding': 'UTF-8',
}

/** Settings whose middle part anybody can choose: they are looked up, and each is overwritten. */
const FAMILIES: ReadonlyArray<readonly [name: RegExp, value: string]> = [
  [/^filter\..*\.(?:clean|smudge|process)$/su, ''],
  [/^filter\..*\.required$/su, 'false'],
  [/^diff\..*\.(?:textconv|command)$/su, ''],
  [/^diff\..*\.cachetextconv$/su, 'false'],
  [/^remote\..*\.promisor$/su, 'false'],
  [/^credential\..*\.helper$/su, ''],
  [/^protocol\..*\.allow$/su, 'never'],
]

const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 20_000

type GitRun =
  | { readonly kind: 'done'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly error: Error; readonly stderr: string }
  | { readonly kind: 'missing' }

/**
 * Runs git in a folder of the permitted repository ([V37]), without a shell, within a time limit. No program that the
 * repository names runs, nothing is fetched, and no password is requested. Messages are in English.
 */
export async function runGit(
  permit: Permit,
  folder: string,
  args: readonly string[],
): Promise<GitRun> {
  const root = permit.item.address
  const path = trustedPath([root, process.cwd()])
  const program = path.map((entry) => join(entry, PROGRAM)).find(isFile)
  if (program === undefined) return { kind: 'missing' }
  const run = (what: readonly string[], settings: Settings) =>
    start(program, what, { folder, env: environment(path, root, settings) })
  const closed = Object.entries(CLOSED)
  const listed = await run(['config', '--list', '--name-only', '-z'], closed)
  if (listed.kind !== 'done') return listed
  const names = new Set(listed.stdout.split('\0'))
  const named = [...names].flatMap((name): Settings => {
    const family = FAMILIES.find(([pattern]) => pattern.test(name))
    return family === undefined ? [] : [[name, family[1]]]
  })
  return await run(args, [...closed, ...named])
}

type Settings = ReadonlyArray<readonly [name: string, value: string]>

function start(
  program: string,
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Record<string, string | undefined> },
): Promise<GitRun> {
  const options = { cwd: folder, env, maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS }
  return new Promise((resolve) => {
    execFile(
      program,
      ['--no-pager', ...args],
      { ...options, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve(error === null ? { kind: 'done', stdout } : { kind: 'failed', error, stderr }),
    )
  })
}

/** Variables of git's own that the program was started with are left out: they lead elsewhere. */
function environment(path: readonly string[], root: string, settings: Settings) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GIT_.*|PATH|SSH_ASKPASS|PAGER|EDITOR|VISUAL)$/iu.test(name),
  )
  const numbered = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ])
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: `${settings.length}`,
    // Else `core.worktree` of the repository decides which files are read.
    GIT_WORK_TREE: root,
    PATH: path.join(delimiter),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_ASKPASS: '',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PROTOCOL_FROM_USER: '0',
    // An allowlist, which overrides the settings. No protocol has this name.
    GIT_ALLOW_PROTOCOL: 'none',
  }
}

const PROGRAM = process.platform === 'win32' ? 'git.exe' : 'git'

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Entries of PATH that programs may come from: full paths outside of these folders. A given folder that contains the
 * home folder, such as `/`, excludes nothing, because its author is unknown.
 */
function trustedPath(folders: readonly string[]): readonly string[] {
  const home = realOf(homedir())
  const strange = folders.map(realOf).filter((folder) => !isWithin(folder, home))
  const entries = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => isAbsolute(entry))
  return entries.filter((entry) => !strange.some((folder) => isWithin(folder, realOf(entry))))
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way !== '..' && !/^\.\.[/\\]/u.test(way)
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
