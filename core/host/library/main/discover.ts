import type { Dirent } from 'node:fs'
import { readdir, stat } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type { DiscoveredPlace } from '../../../engine/schema/library.ts'

/** A location where a tool stores its transcripts. */
interface Place {
  readonly tool: string
  /** Folder names below the home folder or the workspace; `*` is any one folder. */
  readonly folder: string
  readonly below: 'home' | 'workspace'
  /** Pattern of its transcripts' names. */
  readonly file: RegExp
  /** Folders below it that may hold some. */
  readonly depth: number
}

/** Settings folders of editors of the VS Code family, by system. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].flatMap((editor) =>
  ['.config', 'Library/Application Support', 'AppData/Roaming'].map(
    (base) => `${base}/${editor}/User`,
  ),
)
const TASK_FILE = /^(?:api_conversation_history|claude_messages|messages)\.json$/u
const home = (tool: string, folder: string, file: RegExp, depth: number): Place => ({
  tool,
  folder,
  file,
  depth,
  below: 'home',
})

/** [K7] The usual places. Data: a tool that is missing is a row. */
const PLACES: readonly Place[] = [
  home('Claude Code', '.claude/projects', /\.jsonl$/u, 4),
  home('Claude Code', '.config/claude/projects', /\.jsonl$/u, 4),
  home('Codex', '.codex/sessions', /\.jsonl$/u, 4),
  home('Codex, archived', '.codex/archived_sessions', /\.jsonl$/u, 4),
  home('Gemini CLI', '.gemini/tmp/*/chats', /\.jsonl?$/u, 2),
  home('Copilot CLI', '.copilot/session-state', /\.jsonl$/u, 2),
  home('Cursor', '.cursor/projects/*/agent-transcripts', /\.jsonl$/u, 3),
  home('OpenCode', '.local/share/opencode/storage/session', /\.json$/u, 2),
  home('Qwen Code', '.qwen/projects/*/chats', /\.jsonl$/u, 2),
  home('pi', '.pi/agent/sessions', /\.jsonl$/u, 3),
  home('Goose', '.local/share/goose/sessions', /\.jsonl$/u, 1),
  home('Kimi Code', '.kimi-code/sessions', /^wire\.jsonl$/u, 5),
  home('Kimi CLI', '.kimi/sessions', /^wire\.jsonl$/u, 3),
  home('Factory Droid', '.factory/sessions', /\.jsonl$/u, 2),
  home('Grok CLI', '.grok/sessions', /^chat_history\.jsonl$/u, 4),
  home('iFlow', '.iflow/projects', /\.jsonl$/u, 3),
  home('Continue', '.continue/sessions', /^(?!sessions\.json$).*\.json$/u, 1),
  home('OpenHands', '.openhands/conversations', /\.json$/u, 4),
  home('OpenHands', '.openhands/sessions', /\.json$/u, 4),
  ...EDITORS.flatMap((settings) => [
    home('Cline', `${settings}/globalStorage/saoudrizwan.claude-dev/tasks`, TASK_FILE, 2),
    home('Roo Code', `${settings}/globalStorage/rooveterinaryinc.roo-cline/tasks`, TASK_FILE, 2),
    home('VS Code chat', `${settings}/workspaceStorage/*/chatSessions`, /\.jsonl?$/u, 1),
    home(
      'VS Code chat, no folder',
      `${settings}/globalStorage/emptyWindowChatSessions`,
      /\.jsonl?$/u,
      1,
    ),
  ]),
  home('Cline', '.cline/data/tasks', TASK_FILE, 2),
  home('mini-SWE-agent', '.config/mini-swe-agent', /\.traj\.json$/u, 2),
  { tool: 'SpecStory', folder: '.specstory/history', below: 'workspace', file: /\.md$/u, depth: 2 },
  {
    tool: 'Aider',
    folder: '.',
    below: 'workspace',
    file: /^\.aider\.chat\.history\.md$/u,
    depth: 1,
  },
  { tool: 'Inspect', folder: 'logs', below: 'workspace', file: /\.eval$/u, depth: 2 },
]

/** Files counted in one place at most. */
const MOST_FILES = 50_000

interface Count {
  files: number
  bytes: number
  newest: number | null
}

/**
 * [K7] The places of this machine that hold transcripts. Looks at names, sizes and times, opens
 * nothing, and follows no symbolic link below a place.
 */
export async function discoverPlaces(
  roots: Readonly<Record<Place['below'], string>>,
  signal: AbortSignal,
): Promise<readonly DiscoveredPlace[]> {
  const found = new Map<string, DiscoveredPlace>()
  for (const place of PLACES) {
    const folders = await expand(roots[place.below], place.folder)
    const count: Count = { files: 0, bytes: 0, newest: null }
    for (const folder of folders) await countIn(folder, place, { count, signal })
    const [first] = folders
    if (first === undefined || count.files === 0) continue
    // Several projects of one tool are one place: the folder that holds them all.
    const star = place.folder.indexOf('/*')
    const path = star < 0 ? first : join(roots[place.below], place.folder.slice(0, star))
    if (!found.has(path)) found.set(path, { tool: place.tool, path, ...count })
  }
  return [...found.values()]
}

async function expand(root: string, pattern: string): Promise<readonly string[]> {
  let folders: readonly string[] = [root]
  for (const part of pattern.split('/')) {
    const next: string[] = []
    for (const folder of folders) {
      const names = part === '*' ? await foldersIn(folder) : [part]
      for (const name of names) {
        const path = join(folder, name)
        const info = await stat(path).catch(() => null)
        if (info?.isDirectory() === true) next.push(path)
      }
    }
    folders = next
  }
  return folders
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function entriesIn(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

interface Counting {
  readonly count: Count
  readonly signal: AbortSignal
}

async function countIn(
  folder: string,
  place: Pick<Place, 'file' | 'depth'>,
  counting: Counting,
): Promise<void> {
  const { count, signal } = counting
  for (const entry of await entriesIn(folder)) {
    signal.throwIfAborted()
    if (count.files >= MOST_FILES) return
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (place.depth > 1) await countIn(path, { ...place, depth: place.depth - 1 }, counting)
    } else if (entry.isFile() && place.file.test(entry.name)) {
      const info = await stat(path).catch(() => null)
      if (info === null) continue
      count.files += 1
      count.bytes += info.size
      count.newest = Math.max(count.newest ?? 0, Math.floor(info.mtimeMs))
    }
  }
}
