import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOK_AGENTS, hookAgent } from './agents.ts'
import { hookCommand } from './command-line.ts'
import { settingsPath, withHook, withoutHook, writeSettings } from './settings.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-hook-settings-'))
const must = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}
const claude = hookAgent('claude-code') ?? HOOK_AGENTS[0]

describe('settings of agents', () => {
  it('[F175] [F176] of every agent: installed twice it stands there once, and removed nothing is left', async () => {
    for (const agent of HOOK_AGENTS) {
      const root = temporary()
      const path = settingsPath(agent, root)
      const command = `turnscope hook --agent ${agent.name}`
      await writeSettings(must(await withHook(agent, root, `${command} --preset literal`)))
      await writeSettings(must(await withHook(agent, root, command)))
      const text = readFileSync(path, 'utf8')
      expect(text.split(command)).toHaveLength(2)
      expect(text).not.toContain('literal')
      const again = must(await withHook(agent, root, command))
      expect(again.after).toBe(again.before)
      await writeSettings(must(await withoutHook(agent, root)))
      expect(existsSync(path)).toBe(false)
    }
  })

  it('[F175] [F176] all else in the file stays as it was, with its indent', async () => {
    if (claude === undefined) throw new Error('no agent')
    const root = temporary()
    const path = settingsPath(claude, root)
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
    const change = must(await withHook(claude, root, 'turnscope hook --agent claude-code'))
    await writeSettings(change)
    expect(readFileSync(path, 'utf8')).toContain('./lint.sh')
    await writeSettings(must(await withoutHook(claude, root)))
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('[F175] a file that is no JSON, or not of these settings, is refused and stays', async () => {
    if (claude === undefined) throw new Error('no agent')
    for (const text of ['{', '[]', '{"hooks": []}', '{"hooks": {"UserPromptSubmit": {}}}']) {
      const root = temporary()
      const path = settingsPath(claude, root)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      expect((await withHook(claude, root, 'turnscope hook')).ok).toBe(false)
      expect((await withoutHook(claude, root)).ok).toBe(false)
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
  })

  it('[F175] values are quoted, and what a shell would run is refused', () => {
    const around = { program: 'turnscope', cwd: '/code' }
    expect(must(hookCommand('codex', { preset: 'field', workspace: 'my rules' }, around))).toBe(
      'turnscope hook --agent codex --workspace "/code/my rules" --preset field',
    )
    for (const preset of ['a$(id)', 'a"b', 'a`id`', 'a\nb', 'a!b'])
      expect(hookCommand('codex', { preset }, around).ok).toBe(false)
  })
})
