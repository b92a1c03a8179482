import { basename, dirname } from 'node:path'
import type { Revision } from '../../../wire/drafts.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { inside } from '../files/fence.ts'
import { cannotRead } from '../files/regular-file.ts'
import { type Restricted, type TrustGate, isRestricted } from '../trust/gate.ts'
import { runGit } from './git-program.ts'

/** Git data of files; a problem if git may not run. */
export interface Git {
  /** The text of a file as it was in a revision. */
  textAt(path: string, revision: string): Promise<Result<string>>
  /** [T43] Commits that changed a file, newest first. */
  revisionsOf(path: string): Promise<Result<readonly Revision[]>>
  /** Whether two files lie in the same repository. */
  inOneRepository(a: string, b: string): Promise<boolean>
  /**
   * Time of the last commit for each line of a file, in epoch milliseconds; null if the line is not committed. Null
   * without a repository.
   */
  blame(path: string): Promise<ReadonlyArray<number | null> | null>
}

/** Starts the git program, if the gate allows it. */
export function ownGit(trust: TrustGate): Git {
  return {
    textAt: (path, revision) => textAtRevision(trust, path, revision),
    revisionsOf: (path) => revisionsOf(trust, path),
    inOneRepository: (a, b) => inOneRepository(trust, a, b),
    blame: (path) => blameLines(trust, path),
  }
}

const MOST_REVISIONS = 200
/** [T60] No drivers that compare or turn files into text, and no signatures that are checked. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-show-signature']

/** [V37] Every question to git begins here, and here the gate is asked. */
async function git(
  trust: TrustGate,
  folder: string,
  args: readonly string[],
): Promise<Result<string>> {
  const permit = trust.git(folder)
  if (!permit.ok) return permit
  // [F200] A folder that is a link may lead into another repository.
  try {
    inside(folder)
  } catch (error) {
    return err(cannotRead(error, folder))
  }
  const run = await runGit(permit.value, folder, args)
  if (run.kind === 'done') return ok(run.stdout)
  return err(run.kind === 'missing' ? notFound(folder) : problemOf(run.error, run.stderr, folder))
}

function notFound(where: string): Problem {
  return {
    what: 'the git program was not found in the folders of PATH outside of this repository',
    where,
    do: 'Install git, or compare files instead of revisions',
  }
}

function problemOf(error: Error, stderr: string, where: string): Problem {
  if (/not a git repository|dubious ownership/u.test(stderr)) {
    const what = 'this folder is not in a git repository that may be read'
    return { what, where, do: 'Compare files or presets instead of revisions' }
  }
  const [first = ''] = stderr.trim().split('\n')
  const what = `git says: ${first.replace(/^(?:fatal|error): /u, '') || error.message}`
  return { what, where, do: 'Check the revision' }
}

/** [T43] A revision is never an option of git's, and never two arguments. */
export function checkRevision(revision: string): Result<string> {
  const plain = /^[\w@^~{}./+:-]+$/u.test(revision) && !revision.startsWith('-')
  if (plain && revision.length <= 200 && !revision.includes(':')) return ok(revision)
  return err({
    what: 'not a name of a revision',
    where: `"${revision}"`,
    do: 'Use a branch, a tag, a hash or HEAD~2',
  })
}

/** The commit that a revision means, in full, or why it means none. */
async function commitOf(
  trust: TrustGate,
  folder: string,
  revision: string,
): Promise<Result<string>> {
  const checked = checkRevision(revision)
  if (!checked.ok) return checked
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const found = await git(trust, folder, args)
  if (found.ok) return ok(found.value.trim())
  if (!found.error.what.startsWith('git says')) return found
  return err({
    what: `there is no revision "${revision}"`,
    where: folder,
    do: 'Use a branch, a tag, a hash or HEAD~2 of this repository',
  })
}

/** Whether git knows the revision in this folder's repository; a problem where git may not be asked. */
export async function isRevision(
  trust: TrustGate,
  folder: string,
  revision: string,
): Promise<Result<boolean, Restricted>> {
  const found = await commitOf(trust, folder, revision)
  return found.ok || !isRestricted(found.error) ? ok(found.ok) : err(found.error)
}

/** Whether two files lie in the same repository. */
export async function inOneRepository(trust: TrustGate, a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map((path) => git(trust, dirname(path), ['rev-parse', '--show-toplevel'])),
  )
  return one?.ok === true && other?.ok === true && one.value === other.value
}

/** The text of a file as it was in a revision. */
export async function textAtRevision(
  trust: TrustGate,
  path: string,
  revision: string,
): Promise<Result<string>> {
  const folder = dirname(path)
  const commit = await commitOf(trust, folder, revision)
  if (!commit.ok) return commit
  const shown = await git(trust, folder, [
    'cat-file',
    'blob',
    `${commit.value}:./${basename(path)}`,
  ])
  if (shown.ok || !shown.error.what.startsWith('git says')) return shown
  return err({
    what: `the file was not there in revision "${revision}"`,
    where: path,
    do: 'Choose a revision that has it',
  })
}

/** [T43] Commits that changed a file, newest first. */
export async function revisionsOf(
  trust: TrustGate,
  path: string,
): Promise<Result<readonly Revision[]>> {
  const format = '--format=%H%x1f%ct%x1f%an%x1f%s%x1e'
  const args = [
    'log',
    ...PLAIN,
    '-n',
    String(MOST_REVISIONS),
    '--follow',
    format,
    '--',
    basename(path),
  ]
  const listed = await git(trust, dirname(path), args)
  if (!listed.ok) {
    // A repository without a commit has no revisions, which is no problem.
    return listed.error.what.includes('does not have any commits') ? ok([]) : listed
  }
  return ok(
    listed.value.split('\u001E').flatMap((entry) => {
      const [revision = '', at = '', author = '', subject = ''] = entry.trim().split('\u001F')
      return revision === '' ? [] : [{ revision, at: Number(at) * 1000, author, subject }]
    }),
  )
}

const NOT_COMMITTED = /^0{40}/u

/**
 * Time of the last commit for each line of a text, in epoch milliseconds; null if the line is not committed. `text`
 * replaces the content of the file. Null without a repository.
 */
export async function blameLines(
  trust: TrustGate,
  path: string,
): Promise<ReadonlyArray<number | null> | null> {
  const blamed = await git(trust, dirname(path), [
    'blame',
    '--no-textconv',
    '--porcelain',
    '--',
    basename(path),
  ])
  if (!blamed.ok) return null
  const times = new Map<string, number>()
  const lines: Array<string | null> = []
  let commit = ''
  for (const line of blamed.value.split('\n')) {
    const head = /^([0-9a-f]{40}) \d+ (\d+)/u.exec(line)
    if (head !== null) {
      commit = head[1] ?? ''
      lines[Number(head[2]) - 1] = NOT_COMMITTED.test(commit) ? null : commit
    } else if (line.startsWith('committer-time ')) {
      times.set(commit, Number(line.slice('committer-time '.length)) * 1000)
    }
  }
  return lines.map((each) => (each === null ? null : (times.get(each) ?? null)))
}
