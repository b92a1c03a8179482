import { realpath } from '../../host/platform/files/fenced-fs.ts'
import { join, relative } from 'node:path'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { LibraryEntry } from '../../engine/schema/library.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { createIndexStore } from '../../host/library/main/index-file.ts'
import { type Library, createLibrary } from '../../host/library/main/library.ts'
import { openStateStore } from '../../host/settings/main/state-store.ts'
import { createRestrictedThreads } from '../../host/threads/main/restricted-thread.ts'
import { ownAutomata } from '../../host/automata/write.ts'
import { createRightsDesk } from '../../host/threads/main/rights.ts'
import { SESSION_LIMITS } from '../../host/threads/main/session-limits.ts'
import { createWorkerPool } from '../../host/threads/main/worker-pool.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { RpcError } from '../../wire/rpc.ts'
import { packageVersion } from '../../version.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { command, group } from '../kit/command.ts'
import { HOME, THREADS } from '../../place.ts'
import { CONFIG, type Given, configOf, parseFolder, text } from '../kit/options.ts'
import { CommandError, createMeter, EXIT, print } from '../kit/output.ts'
import { firstWords } from '../kit/table.ts'

const ARGS = [['<folder>', 'folder of transcripts']] as const
const comparing = (help: string) => ({ compare: text('--compare <preset>', help), ...CONFIG })

type LibraryOptions = Given<ReturnType<typeof comparing>>

type Entry = Immutable<LibraryEntry>
type Asked = Parameters<Library['entries']>[0]

/** `library scan FOLDER` and `library list FOLDER`: the same index as in the workbench. */
export const library = group('library', 'sessions of a folder, from a cached index', [
  command({
    name: 'scan',
    summary: 'read and replay what is new or changed, and list all',
    args: ARGS,
    options: comparing('second preset: counts flips'),
    run: (options, folder) =>
      withLibrary(options, async (open) => {
        await scanFolder(open, await askedOf(folder, options), options.json === true)
      }),
  }),
  command({
    name: 'list',
    summary: 'list what the index has, without reading a transcript',
    args: ARGS,
    options: comparing('second preset: shows flips that a scan has counted'),
    run: (options, folder) =>
      withLibrary(options, async (open) => {
        const asked = await askedOf(folder, options)
        const { entries, stale } = await open.entries(asked)
        await show(asked.folder, entries, options.json === true)
        if (stale) notice('the index is not complete: run turnscope library scan')
      }),
  }),
])

async function withLibrary(
  { workspace: root }: LibraryOptions,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  const threads = 2
  const workspace = openWorkspace(root, HOME)
  const stateDir = join(workspace.root, '.turnscope')
  const own = ownAutomata(process.env)
  const { place: trust } = workspace.trust
  const data = { workspace: workspace.root, shipped: HOME, trust, automata: own?.folder ?? null }
  const restricted = createRestrictedThreads(createRightsDesk(workspace, own?.keep))
  const pool = createWorkerPool<SessionContract>({
    url: THREADS.session,
    data,
    limits: SESSION_LIMITS,
    size: threads,
    start: restricted.start,
  })
  const opened = createLibrary({
    pool,
    threads,
    workspace,
    version: packageVersion(),
    say: notice,
    state: openStateStore(stateDir, notice),
    indexes: createIndexStore(stateDir),
    clock: () => Date.now(),
  })
  try {
    await work(opened)
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'REFUSED') throw error
    const { what, where = '', do: advice = '' } = error
    throw new CommandError({ what, where: 'turnscope library', do: `${where}. ${advice}` })
  } finally {
    await pool.close()
    restricted.close()
  }
}

async function askedOf(folder: string, options: LibraryOptions): Promise<Asked> {
  const path = await realpath(parseFolder(folder))
  const config = configOf(options)
  const compare: ReplayConfig | null =
    options.compare === undefined ? null : { ...config, preset: options.compare }
  return { folder: path, config, compare }
}

async function scanFolder(opened: Library, asked: Asked, json: boolean): Promise<void> {
  const meter = createMeter()
  const { signal } = new AbortController()
  for await (const step of opened.scan(asked, signal)) {
    if (step.kind === 'progress' && step.phase === 'scanning') {
      meter.show(`${step.done} of ${step.total} files`)
    }
    if (step.kind !== 'scanned') continue
    meter.clear()
    const { entries } = await opened.entries(asked)
    await show(asked.folder, entries, json)
    const passed = Object.entries(step.skipped).map(([reason, count]) => `${count} ${reason}`)
    notice(`${step.files} transcripts${passed.length > 0 ? `; skipped: ${passed.join(', ')}` : ''}`)
    if (step.failed > 0) process.exitCode = EXIT.findings
  }
}

async function show(folder: string, entries: readonly Entry[], json: boolean): Promise<void> {
  if (!json && entries.length > 0) {
    await print(`${styled('bold', ' turns flips breaks  held signals errors  file')}\n`)
  }
  for (const entry of entries) {
    await print(`${json ? jsonLine(entry) : row(folder, entry)}\n`)
  }
}

function row(folder: string, { path, stats, problem, title }: Entry): string {
  const cell = (value: number | null | undefined, width: number) =>
    String(value ?? '–').padStart(width)
  const numbers = [
    cell(stats?.turns, 6),
    cell(stats?.flips, 5),
    cell(stats?.breaks, 6),
    cell(stats?.held, 5),
    cell(stats?.signals, 7),
    cell(stats?.errors, 6),
  ]
  const about = problem === null ? (title ?? '') : problem.what
  const line = firstWords(about, 80)
  return `${numbers.join(' ')}  ${relative(folder, path)}  ${styled('dim', line)}`
}
