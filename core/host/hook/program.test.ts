import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOME } from '../../place.ts'
import { installedHooks } from './installed.ts'
import { probeHook } from './probe.ts'
import { type Surroundings, isKnownProgram, stablePath, stableProgram } from './program.ts'

const isWindows = process.platform === 'win32'
const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-hook-program-'))
const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  home: HOME,
  node: process.execPath,
  path: '',
  version: '1.2.3',
  ...more,
})

/** A folder with an executable `turnscope` that does this. */
function programIn(folder: string, script = 'exit 0'): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'turnscope')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return folder
}

describe.skipIf(isWindows)('the program that an installed hook starts', () => {
  it('[F196] a Turnscope that stays is named by its paths; the name only when PATH has it for good', () => {
    const here = `"${process.execPath}" "${join(HOME, 'bin', 'turnscope.cjs')}"`
    expect(stableProgram(around())).toEqual({ ok: true, value: { here, name: null } })
    const bin = programIn(join(temporary(), 'bin'))
    const added = programIn(join(temporary(), 'node_modules', '.bin'))
    expect(stableProgram(around({ path: added }))).toEqual({
      ok: true,
      value: { here, name: null },
    })
    expect(stableProgram(around({ path: `${added}${delimiter}${bin}` }))).toEqual({
      ok: true,
      value: { here, name: 'turnscope' },
    })
  })

  it.each([
    '.npm/_npx/0123456789abcdef/node_modules',
    'pnpm/dlx/abc/node_modules',
    'bunx-0-turnscope@latest/node_modules',
    'xfs-1a2b3c/dlx-77/node_modules',
  ])(
    '[F196] from the cache of a package runner (%s) it is the one on PATH, else refused',
    (cache) => {
      const modules = join(temporary(), ...cache.split('/'))
      const home = join(modules, 'turnscope')
      mkdirSync(join(home, 'bin'), { recursive: true })
      writeFileSync(join(home, 'bin', 'turnscope.cjs'), '')
      const added = programIn(join(modules, '.bin'))
      // A link on PATH into the cache is gone with the cache.
      const linked = join(temporary(), 'bin')
      mkdirSync(linked)
      symlinkSync(join(added, 'turnscope'), join(linked, 'turnscope'))
      const refused = stableProgram(around({ home, path: [added, linked].join(delimiter) }))
      expect(refused).toMatchObject({
        ok: false,
        error: { do: expect.stringContaining('npm install --global turnscope') as unknown },
      })
      const bin = programIn(join(temporary(), 'bin'))
      expect(stableProgram(around({ home, path: [added, bin].join(delimiter) }))).toEqual({
        ok: true,
        value: { here: `"${join(bin, 'turnscope')}"`, name: 'turnscope' },
      })
    },
  )

  it('[F196] folders that npm adds for one run are not on the PATH of the next prompt', () => {
    const kept = ['/usr/bin', '/home/ann/.local/bin']
    const added = ['/p/node_modules/.bin', '/h/.npm/_npx/1/node_modules/.bin', '/n/node-gyp-bin']
    expect(stablePath([...added, ...kept, ''].join(delimiter))).toBe(kept.join(delimiter))
  })

  it('[F198] a command is run as an agent runs it, and its answer is looked at', async () => {
    const bin = (script: string) => programIn(join(temporary(), 'bin'), script)
    const probe = (folder: string) =>
      probeHook('turnscope hook --agent claude-code', {
        PATH: [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      })
    expect(await probe(bin('cat > /dev/null'))).toEqual({ answers: true, injects: false })
    expect(await probe(bin('echo "{}"'))).toEqual({ answers: true, injects: false })
    expect(await probe(bin('echo hello'))).toMatchObject({ answers: false })
    expect(await probe(bin('echo "the preset is missing" >&2'))).toEqual({
      answers: false,
      why: 'the preset is missing',
    })
    expect(await probe(bin('exit 3'))).toEqual({ answers: false, why: 'exit code 3' })
    // As npx leaves it: found now, gone at the next prompt.
    const gone = await probe(programIn(join(temporary(), 'node_modules', '.bin')))
    expect(gone).toMatchObject({
      answers: false,
      why: expect.stringContaining('exit code 127') as unknown,
    })
    const asked = join(temporary(), 'asked')
    await probe(bin(`echo "$@" > "${asked}"; cat >> "${asked}"`))
    expect(readFileSync(asked, 'utf8')).toMatch(/--no-record\n.*"prompt":/u)
  }, 60_000)

  it('[F198] status runs the hooks of the user, and of a project only those that start a known program', async () => {
    const userRoot = temporary()
    const project = temporary()
    const ran = join(project, 'ran')
    const entry = (command: string) =>
      JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] },
      })
    for (const root of [userRoot, project]) mkdirSync(join(root, '.claude'))
    const hostile = `touch "${ran}"; turnscope hook --agent claude-code`
    writeFileSync(join(project, '.claude', 'settings.json'), entry(hostile))
    const own = './turnscope hook --agent claude-code'
    writeFileSync(join(project, '.claude', 'settings.local.json'), entry(own))
    programIn(project, `touch "${ran}"`)
    writeFileSync(
      join(userRoot, '.claude', 'settings.json'),
      entry('no-such-turnscope hook --agent claude-code'),
    )
    const hooks = await installedHooks({
      ...around({ path: '/usr/bin' }),
      env: { PATH: '/usr/bin:/bin' },
      userRoot,
      project,
    })
    expect(hooks).toMatchObject([
      { answers: false, why: expect.stringContaining('127') as unknown },
      { answers: false, why: expect.stringContaining('not run') as unknown },
      { answers: false, why: expect.stringContaining('not run') as unknown },
    ])
    expect(existsSync(ran)).toBe(false)
  })

  it('[F198] a program is known by its paths, whatever a project calls its own', () => {
    const script = join(HOME, 'bin', 'turnscope.cjs')
    const known = (command: string) => isKnownProgram(command, around())
    expect(known('turnscope hook --agent codex')).toBe(true)
    expect(known(`"${process.execPath}" "${script}" hook --agent codex`)).toBe(true)
    for (const command of [
      `"${process.execPath}" "/p/turnscope.cjs" hook --agent codex`,
      `"/p/node" "${script}" hook --agent codex`,
      './turnscope hook --agent codex',
      'turnscope hook --agent codex; id',
      'turnscope hook --agent "$(id)"',
      'X=1 turnscope hook --agent codex',
      'turnscope hook --agent codex | sh',
    ])
      expect([command, known(command)]).toEqual([command, false])
  })
})
