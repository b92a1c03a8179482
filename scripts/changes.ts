/** Files that changed since a commit or since a check passed, by git and by content. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ROOT } from './build.ts'

const PASSES = join(ROOT, 'node_modules/.cache/passed')

const Base = z.object({
  commit: z.string(),
  /** Content hashes of files that differed from the commit when the check passed. */
  files: z.record(z.string(), z.string()),
})
type Base = z.infer<typeof Base>

function git(args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
  return status === 0 ? stdout : null
}

function hashOf(name: string): string {
  try {
    return createHash('sha1')
      .update(readFileSync(join(ROOT, name)))
      .digest('hex')
  } catch {
    return 'deleted'
  }
}

/** Tracked files that differ from a commit, and untracked files that git does not ignore. Null if git cannot tell. */
function differing(commit: string): readonly string[] | null {
  const tracked = git(['diff', '--name-only', '--no-renames', '-z', commit, '--'])
  const untracked = git(['ls-files', '--others', '--exclude-standard', '-z'])
  if (tracked === null || untracked === null) return null
  return [...new Set(`${tracked}${untracked}`.split('\0').filter((name) => name !== ''))].sort()
}

/**
 * The commit to compare with if no pass is recorded: CHECK_SINCE if set, else the branch point from main, or the first
 * parent of the newest commit on main itself. Null without git or in a clone of depth 1.
 */
export function defaultBase(): Base | null {
  const given = process.env['CHECK_SINCE']
  if (given !== undefined && given !== '') return baseOf(given)
  const head = git(['rev-parse', 'HEAD'])
  const fork = git(['merge-base', 'HEAD', 'origin/main']) ?? git(['merge-base', 'HEAD', 'main'])
  return baseOf(fork !== null && fork !== head ? fork.trim() : 'HEAD~1')
}

/** A revision as a base; null if git does not know it. */
export function baseOf(revision: string): Base | null {
  const commit = git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`])
  return commit === null ? null : { commit: commit.trim(), files: {} }
}

/** Paths that changed since the base, deleted ones too. Null if unknown: the caller then checks everything. */
export function changedSince(base: Base | null): readonly string[] | null {
  if (base === null) return null
  const differ = differing(base.commit)
  if (differ === null) return null
  // A file that was reverted to the commit after the pass also changed.
  const names = [...new Set([...differ, ...Object.keys(base.files)])].sort()
  return names.filter((name) => base.files[name] === undefined || base.files[name] !== hashOf(name))
}

/** The state of the repository when the named check last passed here; null if it never did. */
export function lastPass(name: string): Base | null {
  try {
    return Base.parse(JSON.parse(readFileSync(join(PASSES, `${name}.json`), 'utf8')))
  } catch {
    return null
  }
}

/** The present state as a base. Take it before a check runs, so that edits during the check count as changes. */
export function presentState(): Base | null {
  const base = baseOf('HEAD')
  const differ = base === null ? null : differing(base.commit)
  if (base === null || differ === null) return null
  return { ...base, files: Object.fromEntries(differ.map((name) => [name, hashOf(name)])) }
}

/** Records that the named check passed on this state. */
export function recordPass(name: string, state: Base | null): void {
  if (state === null) return
  const path = join(PASSES, `${name}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(state))
}
