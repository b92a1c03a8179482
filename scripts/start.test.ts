import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildIfStale, ROOT } from './build.ts'
import { desktopProblem } from './electron-binary.ts'
import { showProgress } from './start/progress.ts'

const START = join(ROOT, 'scripts/start.ts')
/** No display: no machine opens a window in the middle of its tests. */
const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' }

describe('npm start', () => {
  let child: ChildProcess | undefined

  beforeAll(() => {
    const built = buildIfStale()
    if (!built.ok) throw new Error(built.log)
  })
  afterEach(() => {
    child?.kill('SIGKILL')
  })

  /** Lines of stdout up to the URL. */
  async function start(...args: readonly string[]): Promise<readonly string[]> {
    const started = spawn(process.execPath, [START, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let text = ''
    return new Promise((resolve, reject) => {
      started.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
        if (/^http.*\n/m.test(text)) resolve(text.trimEnd().split('\n'))
      })
      started.once('exit', (code) => reject(new Error(`ended with ${code ?? 'a signal'}: ${text}`)))
    })
  }

  it('--serve prints the URL alone, serves the page, and stops at Ctrl-C with 0', async () => {
    const [url = '', ...more] = await start('--serve')
    expect(more).toEqual([])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{40,}$/)
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<title>Turnscope')
    const exited = once(child!, 'exit')
    child?.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  it.runIf(process.platform === 'linux')(
    'without a display one line says why it serves, then the URL',
    async () => {
      const lines = await start(join(ROOT, 'package.json'))
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatch(/^Electron cannot open a window here: there is no display\. /)
      expect(lines[1]).toMatch(/^http:/)
    },
  )

  it('[F211] prints its first line before it loads a package or a module of the host', () => {
    // A preload that fails the process at the first module that is not Node's own or the script itself.
    const hook = [
      "import { registerHooks } from 'node:module'",
      'registerHooks({ load(url, context, next) {',
      "  if (url.includes('/scripts/start/')) { process.stderr.write('LOADED'); process.exit(0) }",
      "  if (url.includes('node_modules') || url.includes('/core/')) process.exit(3)",
      '  return next(url, context)',
      '} })',
    ].join('\n')
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`
    const args = ['--import', preload, START, '--serve']
    const ran = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env })
    expect(ran.status).toBe(0)
    expect(ran.stderr).toBe('Starting Turnscope: checking which parts are built…\nLOADED')
  })

  it.each([
    ['a file that is not there', ['gone.jsonl'], /^gone\.jsonl: there is no such file/],
    ['one of two files', ['package.json', 'gone.jsonl'], /^gone\.jsonl: there is no such file/],
    ['a port that is none', ['--port', 'x'], /^--port: not a port/],
    ['an unknown switch', ['--nope'], /--nope/],
  ])('%s is a usage error with exit code 2', (_, args, message) => {
    const ran = spawnSync(process.execPath, [START, ...args], { cwd: ROOT, encoding: 'utf8', env })
    expect(ran.status).toBe(2)
    expect(ran.stderr).toMatch(message)
  })
})

describe('[F211] progress of the first build', () => {
  const run = (isTTY: boolean) => {
    let text = ''
    const write = (piece: unknown) => ((text += String(piece)), true)
    const progress = showProgress(['renderer', 'cli'], { write, isTTY })
    progress.update({ part: 'renderer', state: 'started', ms: 0 })
    progress.update({ part: 'renderer', state: 'built', ms: 1250 })
    progress.end()
    return text
  }

  it('is one plain line per part if nobody watches a terminal', () => {
    expect(run(false)).toBe('Building window, command line…\nBuilt window in 1.3 s\n')
  })

  it('clears the line that it updates on a terminal', () => {
    expect(run(true)).toBe('\r\u001b[KBuilt window in 1.3 s\n\r\u001b[K')
  })
})

describe('a desktop window', () => {
  const machine = { platform: 'linux', isRoot: false, env: { DISPLAY: ':0' } } as const

  it.each([
    ['can open with an X display', {}, null],
    ['can open with a Wayland display', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
    ['cannot open without a display', { env: {} }, 'there is no display'],
    ['cannot open for root', { isRoot: true }, 'its sandbox does not work for root'],
    ['can open for root elsewhere', { platform: 'darwin', isRoot: true, env: {} }, null],
  ] as const)('%s', (_, change, problem) =>
    expect(desktopProblem({ ...machine, ...change })).toBe(problem),
  )
})
