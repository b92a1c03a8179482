import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import {
  blameLines,
  inOneRepository,
  isRevision,
  revisionsOf,
  textAtRevision,
} from '../platform/git/git.ts'
import { valueOf } from '../../../fixtures/host.ts'
import { openedGate } from '../../../fixtures/trust.ts'

/** The operator trusts the repository, and it still runs nothing. */
const trust = openedGate()
const makeFolder = () => mkdtempSync(join(tmpdir(), 'turnscope-git-'))

afterEach(() => {
  vi.unstubAllEnvs()
})

function git(root: string, ...args: string[]) {
  const name = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  execFileSync('git', [...name, ...args], { cwd: root, stdio: 'ignore' })
}

function script(path: string, code: string): string {
  writeFileSync(path, `#!/bin/sh\n${code}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A repository with two commits to a file. The caller adds programs that it may run. */
function makeRepository(): { readonly root: string; readonly path: string } {
  const root = makeFolder()
  const path = join(root, 'a.yaml')
  git(root, 'init', '-q')
  writeFileSync(path, 'one\ntwo\n')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'first')
  writeFileSync(path, 'one\nthree\n')
  git(root, 'commit', '-qam', 'second')
  return { root, path }
}

/** Gives the last commit a signature, so that one who shows signatures asks a program about it. */
function sign(root: string, kind: 'PGP' | 'SSH'): void {
  const commit = execFileSync('git', ['cat-file', 'commit', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  })
  const signature = `gpgsig -----BEGIN ${kind} SIGNATURE-----\n abc\n -----END ${kind} SIGNATURE-----`
  const input = commit.replace(/\n\n/u, `\n${signature}\n\n`)
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin']
  const made = execFileSync('git', args, { cwd: root, input, encoding: 'utf8' })
  git(root, 'update-ref', 'HEAD', made.trim())
}

/** Every question that is asked of git. */
async function askAll(path: string) {
  return {
    blamed: await blameLines(trust, path),
    revisions: await revisionsOf(trust, path),
    shown: await textAtRevision(trust, path, 'HEAD~1'),
    known: valueOf(await isRevision(trust, join(path, '..'), 'HEAD')),
    together: await inOneRepository(trust, path, path),
  }
}

/** Settings with which a repository's own files can start a program; %s is the program. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': '[core]\n\tfsmonitor = %s\n',
  'core.fsmonitor of a file that is included': '[include]\n\tpath = more.config\n',
  'core.hooksPath': '[core]\n\thooksPath = hooks-of-a-stranger\n',
  'core.pager': '[core]\n\tpager = %s\n[pager]\n\tlog = %s\n\tblame = %s\n\tshow = %s\n',
  'core.editor and core.askPass': '[core]\n\teditor = %s\n\taskPass = %s\n\tsshCommand = %s\n',
  'core.alternateRefsCommand': '[core]\n\talternateRefsCommand = %s\n',
  'diff.external': '[diff]\n\texternal = %s\n',
  'a driver that compares': '[diff "evil"]\n\tcommand = %s\n',
  'diff.*.textconv': '[diff "evil"]\n\ttextconv = %s\n\tcachetextconv = true\n',
  'filter.*.clean and smudge': '[filter "evil"]\n\tclean = %s\n\tsmudge = %s\n\trequired = true\n',
  'filter.*.process': '[filter "evil"]\n\tprocess = %s\n\trequired = true\n',
  'a filter with a dot and an equals sign in its name':
    '[filter "evil.a=b"]\n\tclean = %s\n\tprocess = %s\n',
  'gpg.program, signatures shown':
    '[gpg]\n\tprogram = %s\n[gpg "ssh"]\n\tprogram = %s\n[gpg "x509"]\n\tprogram = %s\n[log]\n\tshowSignature = true\n',
  'gpg.ssh.program, signatures shown':
    '[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tprogram = %s\n\tallowedSignersFile = /dev/null\n\tdefaultKeyCommand = %s\n[log]\n\tshowSignature = true\n',
  'credential.helper': '[credential]\n\thelper = !%s\n',
  aliases: '[alias]\n\tlog = !%s\n\tblame = !%s\n\tshow = !%s\n\trev-parse = !%s\n',
  'merge drivers and mergetools': '[merge "evil"]\n\tdriver = %s\n[mergetool "evil"]\n\tcmd = %s\n',
  'a promisor that is asked for missing objects':
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::%s\n\tuploadpack = %s\n\tpromisor = true\n[protocol "ext"]\n\tallow = always\n',
  'a mailmap and signed-off trailers': '[trailer "x"]\n\tkey = X\n\tcommand = %s\n\tcmd = %s\n',
}

test.each(Object.keys(SETTINGS))('[T60] a repository runs no program: %s', async (name) => {
  const { root, path } = makeRepository()
  const marker = join(makeFolder(), 'marker')
  const evil = script(join(makeFolder(), 'evil'), `echo "$0 $*" >> ${marker}; cat "$1" 2>/dev/null`)
  // A file that git has to look at again, so that filters and the monitor would be asked.
  const config = join(root, '.git/config')
  if (name.startsWith('a promisor')) {
    for (const folder of readdirSync(join(root, '.git/objects'))) {
      if (/^[0-9a-f]{2}$/u.test(folder)) {
        const file = readdirSync(join(root, '.git/objects', folder))[0] ?? ''
        const kind = execFileSync('git', ['cat-file', '-t', folder + file], { cwd: root })
        if (String(kind).trim() === 'blob')
          execFileSync('rm', ['-f', join(root, '.git/objects', folder, file)])
      }
    }
  }
  if (name.includes('signatures')) sign(root, name.includes('ssh') ? 'SSH' : 'PGP')
  appendFileSync(config, (SETTINGS[name] ?? '').replaceAll('%s', evil))
  writeFileSync(join(root, '.git/more.config'), `[core]\n\tfsmonitor = ${evil}\n`)
  writeFileSync(join(root, '.git/info/attributes'), '* diff=evil filter=evil merge=evil\n')
  if (name.includes('a dot')) {
    writeFileSync(join(root, '.git/info/attributes'), '* filter=evil.a=b\n')
  }
  for (const hooks of ['.git/hooks', 'hooks-of-a-stranger']) {
    mkdirSync(join(root, hooks), { recursive: true })
    for (const hook of [
      'post-index-change',
      'pre-auto-gc',
      'reference-transaction',
      'post-checkout',
    ])
      script(join(root, hooks, hook), `echo hook >> ${marker}`)
  }
  writeFileSync(path, 'one\nthree\nnot committed\n')
  vi.stubEnv('GIT_EXTERNAL_DIFF', evil)
  vi.stubEnv('GIT_PAGER', evil)
  vi.stubEnv('GIT_ASKPASS', evil)
  vi.stubEnv('GIT_SSH_COMMAND', evil)
  const answers = await askAll(path)
  expect(existsSync(marker) ? readFileSync(marker, 'utf8') : null).toBeNull()
  if (!name.startsWith('a promisor')) expect(answers.revisions.ok).toBe(true)
})

test('[T60] a git of the working directory, of a relative PATH or of the repository is not run', async () => {
  const { root, path } = makeRepository()
  const marker = join(makeFolder(), 'marker')
  script(join(root, 'git'), `echo run >> ${marker}`)
  mkdirSync(join(root, 'bin'))
  script(join(root, 'bin/git'), `echo run >> ${marker}`)
  const real = process.env['PATH'] ?? ''
  vi.stubEnv('PATH', ['.', '', 'bin', root, join(root, 'bin'), real].join(':'))
  const answers = await askAll(path)
  expect(existsSync(marker)).toBe(false)
  expect(answers.revisions).toMatchObject({ ok: true, value: [{}, {}] })
  expect(answers).toMatchObject({ known: true, together: true, shown: { ok: true } })
  expect(answers.blamed).toHaveLength(2)
})

test('[T60] core.worktree and GIT_DIR lead nowhere else', async () => {
  const { root, path } = makeRepository()
  const other = makeRepository()
  vi.stubEnv('GIT_DIR', join(other.root, '.git'))
  vi.stubEnv('GIT_WORK_TREE', other.root)
  vi.stubEnv('GIT_CONFIG_COUNT', '1')
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.pager')
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'false')
  appendFileSync(join(root, '.git/config'), `[core]\n\tworktree = ${other.root}\n`)
  expect(await inOneRepository(trust, path, other.path)).toBe(false)
})
