import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOutbox } from './outbox.ts'
import { finishBeforeQuit } from './quit.ts'
import { seedWorkspace } from './workspace.ts'

it('events that come before the host wait for it, in order, once', () => {
  const outbox = createOutbox<number>()
  const got: number[] = []
  outbox.send(1)
  outbox.send(2)
  outbox.connect((event) => got.push(event))
  outbox.send(3)
  expect(got).toEqual([1, 2, 3])
})

describe('quitting', () => {
  /** The two members of Electron's app that the quit needs. */
  function fakeApp() {
    let listener: (event: { preventDefault(): void }) => void = () => undefined
    const log: string[] = []
    const exited = Promise.withResolvers<number>()
    const app = {
      once: (_event: string, on: typeof listener) => {
        listener = on
      },
      exit: (code?: number) => exited.resolve(code ?? 0),
    }
    const quit = () => listener({ preventDefault: () => log.push('held') })
    // The shape of the real one is Electron's; a test has no business with its hundred members.
    return { app: app as unknown as Parameters<typeof finishBeforeQuit>[0], quit, log, exited }
  }

  it('waits for all tasks, failed ones too, then exits with 0', async () => {
    const { app, quit, log, exited } = fakeApp()
    const tasks = finishBeforeQuit(app)
    tasks.add(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      log.push('done')
    })
    tasks.add(() => Promise.reject(new Error('disk full')))
    quit()
    expect(await exited.promise).toBe(0)
    expect(log).toEqual(['held', 'done'])
  })

  it('does not wait for ever', async () => {
    const { app, quit, exited } = fakeApp()
    finishBeforeQuit(app, 10).add(() => new Promise(() => undefined))
    quit()
    expect(await exited.promise).toBe(0)
  })

  it('holds nothing when there is nothing to do', () => {
    const { app, quit, log } = fakeApp()
    finishBeforeQuit(app)
    quit()
    expect(log).toEqual([])
  })
})

describe('the workspace of an installed app', () => {
  async function folders() {
    const root = await mkdtemp(join(tmpdir(), 'turnscope-seed-'))
    onTestFinished(() => rm(root, { recursive: true }))
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    await write('shipped/profiles/presets/a.yaml', 'shipped a')
    await write('shipped/profiles/domains/b.yaml', 'shipped b')
    const read = (path: string) => readFile(join(root, 'own', path), 'utf8').catch(() => null)
    const seed = (version: string) =>
      seedWorkspace(join(root, 'shipped'), join(root, 'own'), version)
    return { root, write, read, seed }
  }

  it('is filled on first start; a folder that does not ship is no error', async () => {
    const { read, seed } = await folders()
    await seed('1')
    expect(await read('profiles/presets/a.yaml')).toBe('shipped a')
    expect(await read('profiles/domains/b.yaml')).toBe('shipped b')
  })

  it('is never overwritten, and what was deleted comes back with a new version only', async () => {
    const { root, write, read, seed } = await folders()
    await write('own/profiles/presets/a.yaml', 'mine')
    await seed('1')
    expect(await read('profiles/presets/a.yaml')).toBe('mine')
    await rm(join(root, 'own/profiles/domains/b.yaml'))
    await seed('1')
    expect(await read('profiles/domains/b.yaml')).toBeNull()
    await seed('2')
    expect(await read('profiles/domains/b.yaml')).toBe('shipped b')
    expect(await read('profiles/presets/a.yaml')).toBe('mine')
  })

  it('[F187] schemas are those of the version that runs', async () => {
    const { write, read, seed } = await folders()
    await write('shipped/schemas/tour.schema.json', '1')
    await seed('1')
    await write('shipped/schemas/tour.schema.json', '2')
    await seed('2')
    expect(await read('schemas/tour.schema.json')).toBe('2')
  })
})
