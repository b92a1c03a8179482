import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  clientOf,
  CONFIG,
  makeFolder,
  makeHost,
  openSocket,
  REPOSITORY,
} from '../../../../fixtures/host.ts'
import { addToCollections } from '../../probe/collections/collections-file.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { serveLoopback } from '../../windows/main/loopback.ts'
import { createSides } from '../sides.ts'
import { createDraftHandlers } from './handlers.ts'

const config = { ...CONFIG, domains: 'lab' }
const { signal } = new AbortController()
const url = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))

function child(code: string): Promise<string> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  started.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  return new Promise((resolve) => started.on('close', () => resolve(out)))
}

function makeWorkspace() {
  const root = makeFolder()
  const path = join(root, 'profiles/domains/lab.yaml')
  cpSync(join(REPOSITORY, 'fixtures/lab/domains.yaml'), path)
  return { root, path, text: readFileSync(path, 'utf8') }
}

const draftsOf = (root: string) => {
  const workspace = openWorkspace(root, REPOSITORY)
  return createDraftHandlers(workspace, createSides(workspace))
}

describe('[F20] a save names the version that it is based on', () => {
  it('two processes save one domain file 30 times each: whoever was told "saved" is in the file or its successor was based on it', async () => {
    const { root, path, text } = makeWorkspace()
    // Each save adds one line to the loaded text, so a lost save is a missing line at the end.
    const writer = (name: string) => `
        const { openWorkspace } = await import(${url('../../workspace/workspace.ts')})
        const { createSides } = await import(${url('../sides.ts')})
        const { createDraftHandlers } = await import(${url('handlers.ts')})
        const workspace = openWorkspace(${JSON.stringify(root)}, ${JSON.stringify(REPOSITORY)})
        const drafts = createDraftHandlers(workspace, createSides(workspace))
        const config = ${JSON.stringify(config)}, context = { signal: new AbortController().signal }
        for (let n = 0; n < 30; n += 1) {
          const { text, fingerprint } = await drafts['draft.load']({ config }, context)
          const line = '# ${name}' + n
          try {
            await drafts['draft.save']({ config, text: text + line + '\\n', fingerprint }, context)
            console.log(line)
          } catch (error) {
            if (!/changed by another program/.test(error.message)) { console.log(error.stack); break }
          }
        }`
    const told = (await Promise.all([child(writer('a')), child(writer('b'))]))
      .join('')
      .split('\n')
      .filter((line) => line !== '')
    const lines = readFileSync(path, 'utf8').slice(text.length).split('\n').filter(Boolean)
    expect(lines.toSorted()).toEqual(told.toSorted())
    expect(told.length).toBeGreaterThanOrEqual(30)
  })

  it('two windows of one server: of 30 pairs of saves at once one is told "saved", the other is a conflict', async () => {
    const { root, path } = makeWorkspace()
    const site = makeFolder({ 'index.html': '' })
    const host = makeHost({ workspace: root })
    const served = await serveLoopback(host, { root: site })
    try {
      const one = clientOf(await openSocket(served.url))
      const two = clientOf(await openSocket(served.url))
      for (let n = 0; n < 30; n += 1) {
        const { text, fingerprint } = await one.call('draft.load', { config })
        const saves = [one, two].map((client, at) =>
          client.call('draft.save', { config, fingerprint, text: `${text}# ${n}.${at}\n` }),
        )
        const ends = await Promise.allSettled(saves)
        const saved = ends.findIndex(({ status }) => status === 'fulfilled')
        expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        expect(String(ends.find((end) => end.status === 'rejected')?.reason)).toContain(
          'changed by',
        )
        expect(readFileSync(path, 'utf8')).toBe(`${text}# ${n}.${saved}\n`)
      }
    } finally {
      await served.close()
      await host.close()
    }
  }, 60_000)

  it('a copy of a shipped file that another window made meanwhile is not written over', async () => {
    const root = makeFolder()
    const shipped = { ...CONFIG, domains: 'default' }
    const drafts = draftsOf(root)
    const { text, fingerprint } = await drafts['draft.load']({ config: shipped }, { signal })
    const ends = await Promise.allSettled(
      ['a', 'b'].map(async (name) =>
        drafts['draft.save'](
          { config: shipped, fingerprint, text: `# ${name}\n${text}` },
          { signal },
        ),
      ),
    )
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('two windows that add collections at once keep both', async () => {
    const root = makeFolder({ 'profiles/collections.yaml': 'collections: []\n' })
    const names = Array.from({ length: 20 }, (_, n) => `c${n}`)
    const added = await Promise.all(names.map((name) => addToCollections([root], name, ['/d'])))
    expect(added.every(({ ok }) => ok)).toBe(true)
    const text = readFileSync(join(root, 'profiles/collections.yaml'), 'utf8')
    expect(names.filter((name) => !new RegExp(`name: ${name}\\b`, 'u').test(text))).toEqual([])
  })
})

describe('[F17] drafts', () => {
  it('of two windows do not push each other out of the history', async () => {
    const { root, text } = makeWorkspace()
    const drafts = draftsOf(root)
    for (const [window, add] of [
      ['a', '# mine'],
      ['b', '# theirs'],
      ['a', '# mine, more'],
    ]) {
      await drafts['draft.keep'](
        { config, window: window ?? '', text: `${text}${add}\n` },
        { signal },
      )
    }
    const { drafts: kept } = await drafts['draft.history']({ config }, { signal })
    const texts = await Promise.all(
      kept.map(async ({ id }) => drafts['draft.at']({ config, id }, { signal })),
    )
    expect(texts.map((each) => each.text.slice(text.length)).toSorted()).toEqual([
      '# mine\n',
      '# mine, more\n',
      '# theirs\n',
    ])
  })

  it('that cannot be used are said and kept aside, never replaced', async () => {
    const { root, text } = makeWorkspace()
    const drafts = draftsOf(root)
    await drafts['draft.keep']({ config, window: '', text: `${text}# one\n` }, { signal })
    const [name = ''] = readdirSync(join(root, '.turnscope/drafts'))
    const current = join(root, '.turnscope/drafts', name, 'current.json')
    writeFileSync(current, '{"version": 1, torn')
    const loaded = await drafts['draft.load']({ config }, { signal })
    expect(loaded).toMatchObject({ draft: null })
    expect(loaded.problem).toContain('current.json.bad')
    expect(readFileSync(`${current}.bad`, 'utf8')).toBe('{"version": 1, torn')
    mkdirSync(current)
    expect((await drafts['draft.load']({ config }, { signal })).problem).toContain('cannot be read')
    const keeping = drafts['draft.keep']({ config, window: '', text: `${text}# 2\n` }, { signal })
    await expect(keeping).rejects.toThrow('cannot be read')
  })
})

describe('[F21] nothing is written through a link out of the workspace', () => {
  it('a domain file, a folder of domains, and collections', async () => {
    const outside = makeFolder({ 'secret.yaml': 'domains: []\n', 'c.yaml': 'collections: []\n' })
    const { root } = makeWorkspace()
    symlinkSync(join(outside, 'secret.yaml'), join(root, 'profiles/domains/out.yaml'))
    symlinkSync(join(outside, 'c.yaml'), join(root, 'profiles/collections.yaml'))
    const drafts = draftsOf(root)
    const outward = { ...CONFIG, domains: 'out' }
    await expect(drafts['draft.load']({ config: outward }, { signal })).rejects.toThrow(
      /leads out of/u,
    )
    const fingerprint = fingerprintOf('domains: []\n')
    const save = { config: outward, text: 'domains: []\n# mine\n', fingerprint }
    await expect(drafts['draft.save'](save, { signal })).rejects.toThrow(/leads out of/u)
    expect(await addToCollections([root], 'a', ['/d'])).toMatchObject({
      error: { what: expect.stringMatching(/leads out of/u) as string },
    })
    expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe('domains: []\n')
    expect(readFileSync(join(outside, 'c.yaml'), 'utf8')).toBe('collections: []\n')
    const other = makeFolder()
    symlinkSync(join(root, 'profiles'), join(other, 'profiles'))
    await expect(
      draftsOf(other)['draft.save']({ config, text: 'domains: []\n', fingerprint }, { signal }),
    ).rejects.toThrow(/there is no domain file/u)
  })

  it('a link within the workspace stays one', async () => {
    const { root, path, text } = makeWorkspace()
    symlinkSync('lab.yaml', join(root, 'profiles/domains/again.yaml'))
    const drafts = draftsOf(root)
    const again = { ...CONFIG, domains: 'again' }
    const { fingerprint } = await drafts['draft.load']({ config: again }, { signal })
    await drafts['draft.save']({ config: again, text: `${text}# x\n`, fingerprint }, { signal })
    expect(readFileSync(path, 'utf8')).toBe(`${text}# x\n`)
  })
})
