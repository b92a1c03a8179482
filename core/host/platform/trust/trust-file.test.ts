import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { itemOfGit } from '../../../engine/trust/items.ts'
import type { TrustItem } from '../../../engine/schema/trust.ts'
import { openGate } from './gate.ts'
import { trustPlace } from './place.ts'
import { changeTrust, readTrust } from './trust-file.ts'

const ITEM: TrustItem = { kind: 'store', by: 'qdrant', address: 'https://a.example', variables: [] }

function make(workspace = makeFolder(), config = makeFolder()) {
  const place = trustPlace({ workspace, shipped: REPOSITORY, env: { XDG_CONFIG_HOME: config } })
  const file = join(config, 'turnscope/trust.json')
  const write = (text: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return { workspace, config, place, file, write, gate: openGate(place) }
}

describe('[V33] what the person trusts', () => {
  it('is kept by the real path of the workspace, and read anew for every question', async () => {
    const one = make()
    expect(one.gate.may(ITEM, '').ok).toBe(false)
    await changeTrust(one.place, 1, () => [ITEM])
    expect(one.gate.may(ITEM, '').ok).toBe(true)
    expect(one.gate.may({ ...ITEM, address: 'https://b.example' }, '').ok).toBe(false)
    expect(one.gate.may({ ...ITEM, variables: ['KEY'] }, '').ok).toBe(false)
    expect(one.gate.may({ ...ITEM, by: 'lancedb' }, '').ok).toBe(false)
    const link = join(makeFolder(), 'link')
    symlinkSync(one.workspace, link)
    expect(make(link, one.config).gate.may(ITEM, '').ok).toBe(true)
    expect(make(undefined, one.config).gate.may(ITEM, '').ok).toBe(false)
    await changeTrust(one.place, 2, () => null)
    expect(one.gate.may(ITEM, '').ok).toBe(false)
  })

  it.each([
    ['no JSON', '{"version":1,'],
    ['another version', '{"version":2,"workspaces":[]}'],
    ['a field that is none', '{"version":1,"workspaces":[],"all":true}'],
  ])('a file with %s allows nothing, says so, and is not written over', async (_, text) => {
    const one = make()
    one.write(text)
    const may = one.gate.may(ITEM, '')
    expect(!may.ok && may.error.what).toContain('your trust file cannot be used')
    await expect(changeTrust(one.place, 1, () => [ITEM])).rejects.toThrow('cannot be used')
    expect(readFileSync(one.file, 'utf8')).toBe(text)
  })

  it('a record that was changed by hand is none', async () => {
    const one = make()
    await changeTrust(one.place, 1, () => [ITEM])
    writeFileSync(one.file, readFileSync(one.file, 'utf8').replace('a.example', 'b.example'))
    const read = readTrust(one.place)
    expect(!read.ok && read.error.what).toContain('changed by hand')
    expect(one.gate.may({ ...ITEM, address: 'https://b.example' }, '').ok).toBe(false)
  })

  it.skipIf(process.getuid?.() === 0)('a file that may not be read allows nothing', async () => {
    const one = make()
    await changeTrust(one.place, 1, () => [ITEM])
    chmodSync(one.file, 0o000)
    expect(one.gate.may(ITEM, '').ok).toBe(false)
  })

  it('a trust file that lies in the workspace says nothing about it', async () => {
    const workspace = makeFolder()
    const outside = make(workspace)
    await changeTrust(outside.place, 1, () => [ITEM])
    const inside = make(workspace, join(workspace, 'config'))
    inside.write(readFileSync(outside.file, 'utf8'))
    expect(outside.gate.may(ITEM, '').ok).toBe(true)
    expect(inside.gate.may(ITEM, '')).toMatchObject({ ok: false })
    rmSync(inside.file)
    await expect(changeTrust(inside.place, 1, () => [ITEM])).rejects.toThrow(
      'lies in this workspace',
    )
    expect(existsSync(inside.file)).toBe(false)
  })

  it('two processes that write at once lose nothing', async () => {
    const config = makeFolder()
    const code = (n: number) => `
      import { changeTrust } from ${JSON.stringify(join(import.meta.dirname, 'trust-file.ts'))}
      import { trustPlace } from ${JSON.stringify(join(import.meta.dirname, 'place.ts'))}
      for (let at = 0; at < 20; at += 1)
        await changeTrust(
          trustPlace({ workspace: '/w' + ${n} + '/' + at, shipped: '/none', env: { XDG_CONFIG_HOME: ${JSON.stringify(config)} } }),
          1, () => [${JSON.stringify(ITEM)}])`
    const folder = makeFolder({ 'a.ts': code(1), 'b.ts': code(2) })
    const ended = ['a.ts', 'b.ts'].map(
      (name) =>
        new Promise<number | null>((resolve) => {
          fork(join(folder, name), { execArgv: [], silent: true }).once('exit', resolve)
        }),
    )
    expect(await Promise.all(ended)).toEqual([0, 0])
    expect(valueOf(readTrust(make(undefined, config).place)).workspaces).toHaveLength(40)
  })
})

describe('[V37] git', () => {
  it('is one of Turnscope’s own repository, or of one that the person trusted, wherever a file lies', async () => {
    const repository = makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', 'deep/er/a.yaml': '' })
    const one = make()
    const folder = join(repository, 'deep/er')
    expect(one.gate.git(REPOSITORY).ok).toBe(true)
    const may = one.gate.git(folder)
    expect(!may.ok && may.error.what).toContain(`git in ${repository}`)
    expect(!may.ok && may.error.do).toContain(`turnscope trust ${repository}`)
    const none = one.gate.git(makeFolder())
    expect(!none.ok && none.error.what).toContain('not in a git repository')
    await changeTrust(make(repository, one.config).place, 1, () => [itemOfGit(repository)])
    expect(one.gate.git(folder).ok).toBe(true)
  })
})
