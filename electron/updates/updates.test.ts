import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updaterOf } from '../../fixtures/updates/updater.ts'

/** A program that says its version, as large as is wanted. */
const program = (version: string, bytes = 0) =>
  Buffer.concat([
    Buffer.from(`#!/bin/sh\necho ${version}\nexit 0\n`),
    Buffer.from(randomBytes(bytes).toString('hex').slice(0, bytes)),
  ])

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Release {
  readonly version: string
  readonly file: Buffer
  /** The feed's data about the file, and the file's location. */
  readonly said?: { readonly sha512?: string; readonly size?: number; readonly more?: string }
  /** Sends the file, if it is not sent plainly. */
  readonly send?: Answer
}

const folder = mkdtempSync(join(tmpdir(), 'turnscope-updates-'))
const requests: IncomingMessage[] = []
let release: Release = { version: '1.0.0', file: program('1.0.0') }

function feedText({ version, file, said = {} }: Release): string {
  const name = `Turnscope-${version}.AppImage`
  const sha512 = said.sha512 ?? createHash('sha512').update(file).digest('base64')
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${name}`,
    `    sha512: ${sha512}`,
    `    size: ${said.size ?? file.length}`,
    ...(said.more === undefined ? [] : [said.more]),
    `path: ${name}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-20T10:00:00.000Z'",
    'releaseNotes: "<b>Faster</b> openings"',
    '',
  ].join('\n')
}

const server = createServer((request, response) => {
  requests.push(request)
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (pathname.endsWith('latest-linux.yml')) response.end(feedText(release))
  else if (pathname.endsWith('.AppImage') && release.send !== undefined)
    release.send(request, response)
  else if (pathname.endsWith('.AppImage')) response.end(release.file)
  else response.writeHead(404).end()
})

let address = ''
const image = join(folder, 'Turnscope.AppImage')
const runs = () => execFileSync(image, { encoding: 'utf8' }).trim()
const signal = () => new AbortController().signal
const nothing = () => undefined
const state = () => mkdtempSync(join(folder, 'state-'))
const open = () => updaterOf({ version: '1.0.0', folder: state(), address })

describe.skipIf(process.platform !== 'linux')('updates from a feed on this machine', () => {
  beforeEach(async () => {
    if (address === '') {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const at = server.address()
      address = `http://127.0.0.1:${typeof at === 'object' ? (at?.port ?? 0) : 0}`
    }
    rmSync(image, { force: true })
    writeFileSync(image, program('1.0.0'))
    chmodSync(image, 0o755)
    process.env['APPIMAGE'] = image
    requests.length = 0
  })
  afterEach(() => {
    delete process.env['APPIMAGE']
    // A refused update leaves no files next to the program.
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('[F182] a newer version is shown, downloaded and installed, each when it is asked for', async () => {
    const file = program('1.1.0', 300_000)
    release = { version: '1.1.0', file }
    const updates = open()
    expect(requests).toHaveLength(0)
    expect(await updates.look()).toEqual({
      version: '1.1.0',
      notes: '<b>Faster</b> openings',
      date: '2026-11-20T10:00:00.000Z',
      file: 'Turnscope-1.1.0.AppImage',
      bytes: file.length,
      sha512: createHash('sha512').update(file).digest('hex'),
    })
    expect(requests.filter(({ url }) => url?.includes('.AppImage') === true)).toEqual([])
    const reports: number[] = []
    await updates.download((done) => reports.push(done), signal())
    expect(runs()).toBe('1.0.0')
    await updates.install()
    expect(runs()).toBe('1.1.0')
    const ids = new Set(requests.map(({ headers }) => headers['x-user-staging-id']))
    expect([...ids].filter((id) => id !== undefined && id !== 'none')).toEqual([])
  })

  it('[F182] the same version and an older one are no updates', async () => {
    for (const version of ['1.0.0', '0.9.9', '1.0.0-beta.1']) {
      release = { version, file: program(version) }
      const updates = open()
      expect(await updates.look()).toBeNull()
      await expect(updates.download(nothing, signal())).rejects.toThrow()
      await expect(updates.install()).rejects.toThrow()
    }
    expect(runs()).toBe('1.0.0')
  })

  const REFUSED: ReadonlyArray<readonly [string, string, () => Release]> = [
    [
      'a tampered file',
      'sha512 checksum mismatch',
      () => {
        const file = program('1.1.0', 5000)
        const sha512 = createHash('sha512').update(file).digest('base64')
        const changed = Buffer.from(file)
        changed[2000] = 0x21
        return { version: '1.1.0', file: changed, said: { sha512 } }
      },
    ],
    [
      'a wrong hash',
      'sha512 checksum mismatch',
      () => ({
        version: '1.1.0',
        file: program('1.1.0'),
        said: { sha512: randomBytes(64).toString('base64') },
      }),
    ],
    [
      'a truncated download',
      'aborted',
      () => {
        const file = program('1.1.0', 200_000)
        return {
          version: '1.1.0',
          file,
          send: (_: IncomingMessage, response: ServerResponse) => {
            response.writeHead(200, { 'content-length': file.length })
            response.write(file.subarray(0, 90_000), () => response.destroy())
          },
        }
      },
    ],
    [
      'a shorter file that ends well',
      'sha512 checksum mismatch',
      () => {
        const file = program('1.1.0', 200_000)
        const sha512 = createHash('sha512').update(file).digest('base64')
        return { version: '1.1.0', file: file.subarray(0, 90_000), said: { sha512 } }
      },
    ],
    [
      'a server that says no',
      '500',
      () => ({
        version: '1.1.0',
        file: program('1.1.0'),
        send: (_: IncomingMessage, response: ServerResponse) => response.writeHead(500).end(),
      }),
    ],
  ]
  it.each(REFUSED)(
    '[F183] %s is refused, and the old version still starts',
    async (_, reason, make) => {
      release = make()
      const updates = open()
      expect(await updates.look()).toMatchObject({ version: '1.1.0' })
      await expect(updates.download(nothing, signal())).rejects.toThrow(reason)
      await expect(updates.install()).rejects.toThrow('no update was downloaded')
      expect(runs()).toBe('1.0.0')
    },
  )

  it('[F183] a file that was changed after its download is refused', async () => {
    release = { version: '1.1.0', file: program('1.1.0') }
    const kept = state()
    const updates = updaterOf({ version: '1.0.0', folder: kept, address })
    await updates.look()
    await updates.download(nothing, signal())
    const downloaded = readdirSync(kept, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.AppImage'),
    )
    writeFileSync(join(kept, downloaded ?? ''), program('6.6.6'))
    await expect(updates.install()).rejects.toThrow('SHA-512 is another')
    expect(runs()).toBe('1.0.0')
  })

  it('[F182] a version that only an administrator can install is refused', async () => {
    release = {
      version: '1.1.0',
      file: program('1.1.0'),
      said: { more: '    isAdminRightsRequired: true' },
    }
    await expect(open().look()).rejects.toThrow('only be installed by an administrator')
  })

  it('[F182] a download can be cancelled, and begun again', async () => {
    const file = program('1.1.0', 400_000)
    const slow: Answer = (_, response) => {
      response.writeHead(200, { 'content-length': file.length })
      response.write(file.subarray(0, 100_000))
    }
    release = { version: '1.1.0', file, send: slow }
    const updates = open()
    await updates.look()
    const controller = new AbortController()
    const running = updates.download(nothing, controller.signal)
    setTimeout(() => controller.abort(), 200)
    await expect(running).rejects.toThrow()
    release = { version: '1.1.0', file }
    await updates.download(nothing, signal())
    await updates.install()
    expect(runs()).toBe('1.1.0')
  })

  it('[F184] killed at any moment, one of the two versions starts, and the next try gets there', async () => {
    const file = program('1.1.0', 3_000_000)
    release = { version: '1.1.0', file }
    const child = join(import.meta.dirname, '../../fixtures/updates/update-child.ts')
    const kept = join(folder, 'killed')
    mkdirSync(kept)
    const ended: string[] = []
    const run = (killAt: RegExp | null) =>
      new Promise<void>((resolve) => {
        const running = spawn(process.execPath, [child, '1.0.0', kept, address], {
          env: { ...process.env, APPIMAGE: image },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let said = ''
        running.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk
          if (killAt?.test(said) === true) running.kill('SIGKILL')
        })
        running.on('close', () => {
          ended.push(said.trimEnd().split('\n').at(-1) ?? '')
          resolve()
        })
      })
    for (const moment of [/found/u, /got \d/u, /downloaded/u, /installed/u]) {
      await run(moment)
      expect(['1.0.0', '1.1.0']).toContain(runs())
    }
    await run(null)
    expect(ended.at(-1)).toBe('installed')
    expect(runs()).toBe('1.1.0')
    expect(existsSync(`${image}.new`)).toBe(false)
  })
})
