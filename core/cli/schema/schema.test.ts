import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'
import { SCHEMA_FILES } from '../../host/workspace/schema-files.ts'

const SHIPPED = fileURLToPath(new URL('../../../schemas/', import.meta.url))
const shippedText = (name: string) => readFileSync(join(SHIPPED, `${name}.schema.json`), 'utf8')

interface EditorSettings {
  readonly 'yaml.schemas': Readonly<Record<string, readonly string[]>>
  readonly 'json.schemas': ReadonlyArray<{ readonly url: string }>
}

describe('[F187] schema', () => {
  it('lists all, prints one as it ships, and says where it lies', async () => {
    const { out } = await runHere(['schema'])
    for (const { name } of SCHEMA_FILES) expect(out).toContain(name)
    expect(JSON.parse((await runHere(['schema', '--json'])).out)).toHaveLength(SCHEMA_FILES.length)
    expect((await runHere(['schema', 'domains'])).out).toBe(shippedText('domains'))
    const path = (await runHere(['schema', 'tour', '--path'])).out.trim()
    expect(readFileSync(path, 'utf8')).toBe(shippedText('tour'))
  })

  it('an unknown name ends with 2 and the names that there are', async () => {
    const { code, out, err } = await runHere(['schema', 'domain'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('domain: there is no schema of this name. They are: domains, preset')
  })

  it('--settings names files that there are on this machine', async () => {
    const settings = JSON.parse((await runHere(['schema', '--settings'])).out) as EditorSettings
    const named = [
      ...Object.keys(settings['yaml.schemas']),
      ...settings['json.schemas'].map(({ url }) => url),
    ]
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('--write puts all of them into a folder, over older ones', async () => {
    const folder = makeFolder({ 'schemas/tour.schema.json': 'old', 'schemas/mine.json': 'mine' })
    const { code, out } = await runHere(['schema', '--write', folder])
    expect({ code, out }).toEqual({
      code: 0,
      out: `${join(folder, 'schemas')}: ${SCHEMA_FILES.length} schemas\n`,
    })
    const text = (name: string) => readFileSync(join(folder, 'schemas', name), 'utf8')
    expect(text('tour.schema.json')).toBe(shippedText('tour'))
    expect(text('mine.json')).toBe('mine')
  })
})

describe('[F187] init', () => {
  const inits = async (folder: string) => (await runHere(['init', folder])).out

  it('brings schemas, and settings that map files to them', async () => {
    const folder = makeFolder({})
    expect(await inits(folder)).toContain('.vscode/settings.json maps them to their schemas')
    const settings = JSON.parse(
      readFileSync(join(folder, '.vscode/settings.json'), 'utf8'),
    ) as EditorSettings
    const named = Object.keys(settings['yaml.schemas'])
    expect(named).toContain('./schemas/domains.schema.json')
    expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    const line = /^# yaml-language-server: \$schema=(\S+)$/mu
    const domains = readFileSync(join(folder, 'profiles/domains/default.yaml'), 'utf8')
    expect(existsSync(join(folder, 'profiles/domains', line.exec(domains)?.[1] ?? 'none'))).toBe(
      true,
    )
  })

  it('leaves settings alone that are there', async () => {
    const folder = makeFolder({})
    mkdirSync(join(folder, '.vscode'))
    writeFileSync(join(folder, '.vscode/settings.json'), '{ "mine": 1 }\n')
    expect(await inits(folder)).toContain('stays; turnscope schema --settings prints what to add')
    expect(readFileSync(join(folder, '.vscode/settings.json'), 'utf8')).toBe('{ "mine": 1 }\n')
  })
})
