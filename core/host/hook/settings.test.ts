import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOK_AGENTS, hookAgent } from './agents.ts'
import { hookCommand } from './command-line.ts'
import {
  type SettingsPlace,
  installedCommands,
  settingsPath,
  withHook,
  withoutHook,
  writeSettings,
} from './settings.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-hook-settings-'))
const shared = (root = temporary()): SettingsPlace => ({ root, of: 'shared' })
const must = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}
const claude = hookAgent('claude-code') ?? HOOK_AGENTS[0]

describe('settings of agents', () => {
  it('[F175] [F176] of every agent: installed twice it stands there once, and removed nothing is left', async () => {
    for (const agent of HOOK_AGENTS) {
      const place = shared()
      const path = settingsPath(agent, place)
      const command = `turnscope hook --agent ${agent.name}`
      await writeSettings(must(await withHook(agent, place, `${command} --preset literal`)))
      await writeSettings(must(await withHook(agent, place, command)))
      const text = readFileSync(path, 'utf8')
      expect(text.split(command)).toHaveLength(2)
      expect(text).not.toContain('literal')
      const again = must(await withHook(agent, place, command))
      expect(again.after).toBe(again.before)
      await writeSettings(must(await withoutHook(agent, place)))
      expect(existsSync(path)).toBe(false)
    }
  })

  it('[F175] [F176] all else in the file stays as it was, with its indent', async () => {
    if (claude === undefined) throw new Error('no agent')
    const place = shared()
    const path = settingsPath(claude, place)
    const before = `${JSON.stringify(
      {
        model: 'x',
        hooks: {
          UserPromptSubmit: [{ hooks: [{ type: 'command', command: './lint.sh' }] }],
          Stop: [],
        },
        permissions: { allow: ['Bash(ls)'] },
      },
      null,
      '\t',
    )}\n`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, before)
    const change = must(await withHook(claude, place, 'turnscope hook --agent claude-code'))
    await writeSettings(change)
    expect(readFileSync(path, 'utf8')).toContain('./lint.sh')
    await writeSettings(must(await withoutHook(claude, place)))
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('[F175] a file that is no JSON, or not of these settings, is refused and stays', async () => {
    if (claude === undefined) throw new Error('no agent')
    for (const text of ['{', '[]', '{"hooks": []}', '{"hooks": {"UserPromptSubmit": {}}}']) {
      const place = shared()
      const path = settingsPath(claude, place)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      expect((await withHook(claude, place, 'turnscope hook')).ok).toBe(false)
      expect((await withoutHook(claude, place)).ok).toBe(false)
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  })

  it('[F175] values are quoted, and what a shell would run is refused', () => {
    const around = { program: 'turnscope', cwd: '/code' }
    expect(must(hookCommand('codex', { preset: 'field', workspace: 'my rules' }, around))).toBe(
      'turnscope hook --agent codex --workspace "/code/my rules" --preset field',
    )
    expect(must(hookCommand('codex', { record: false }, around))).toBe(
      'turnscope hook --agent codex --no-record',
    )
    for (const preset of ['a$(id)', 'a"b', 'a`id`', 'a\nb', 'a!b'])
      expect(hookCommand('codex', { preset }, around).ok).toBe(false)
  })

  it('[F197] a shared file never names a path of this machine; the user’s own files may', async () => {
    if (claude === undefined) throw new Error('no agent')
    const commands = [
      '"/usr/bin/node" "/opt/turnscope/bin/turnscope.cjs" hook --agent claude-code',
      'turnscope hook --agent claude-code --workspace /code/rules',
      'turnscope hook --agent claude-code --workspace "C:\\rules"',
      '~/bin/turnscope hook --agent claude-code',
    ]
    for (const command of commands) {
      const place = shared()
      const refused = await withHook(claude, place, command)
      expect([command, refused.ok]).toEqual([command, false])
      expect(existsSync(settingsPath(claude, place))).toBe(false)
      for (const of of ['local', 'user'] as const) {
        const own: SettingsPlace = { root: place.root, of }
        await writeSettings(must(await withHook(claude, own, command)))
        expect(await installedCommands(claude, own)).toEqual([command])
      }
    }
    const place = shared()
    const change = must(await withHook(claude, place, 'turnscope hook --agent claude-code'))
    expect(change.path).toBe(join(place.root, '.claude', 'settings.json'))
  })

  it.skipIf(process.platform === 'win32')(
    '[F197] nothing is written through a link that leads out of the project',
    async () => {
      if (claude === undefined) throw new Error('no agent')
      const command = 'turnscope hook --agent claude-code'
      const outside = temporary()
      writeFileSync(join(outside, 'settings.json'), '{}')
      const byFile = shared()
      mkdirSync(join(byFile.root, '.claude'))
      symlinkSync(join(outside, 'settings.json'), settingsPath(claude, byFile))
      const byFolder = shared()
      symlinkSync(outside, join(byFolder.root, '.claude'))
      const byMissing = shared()
      mkdirSync(join(byMissing.root, '.claude'))
      symlinkSync(join(outside, 'not-there.json'), settingsPath(claude, byMissing))
      for (const place of [byFile, byFolder, byMissing]) {
        expect((await withHook(claude, place, command)).ok).toBe(false)
        expect((await withoutHook(claude, place)).ok).toBe(false)
        // A link that appears between the preview and the write.
        const path = settingsPath(claude, place)
        const change = { path, place, before: null, after: '{"hooks":{}}' }
        await expect(writeSettings(change)).rejects.toThrow('leads out of the project')
      }
      expect(readFileSync(join(outside, 'settings.json'), 'utf8')).toBe('{}')
      expect(existsSync(join(outside, 'not-there.json'))).toBe(false)
      // A link inside of the project, and the user's own dotfiles.
      const inside = shared()
      mkdirSync(join(inside.root, 'config'))
      symlinkSync(join(inside.root, 'config'), join(inside.root, '.claude'))
      await writeSettings(must(await withHook(claude, inside, command)))
      expect(existsSync(join(inside.root, 'config', 'settings.json'))).toBe(true)
      expect((await withHook(claude, { root: byFile.root, of: 'user' }, command)).ok).toBe(true)
    },
  )
})
