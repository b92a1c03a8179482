import type { SeenFiles } from '../source.ts'

const JSON_FILE = /^(.+)\.json$/
const MESSAGES = '../../message'
const PARTS = '../../part'

/** The name of the folder that a file lies in. */
export function folderOf(path: string): string | null {
  return /([^/\\]+)[/\\][^/\\]+$/.exec(path)?.[1] ?? null
}

/**
 * [I125] The store has `session/<project>/<session>.json`, `message/<session>/<message>.json` and
 * `part/<message>/<part>.json` (older: all parts in one folder). First the messages are looked for, then the
 * folders of parts that are called like them, and, where there is no part, all folders of parts.
 */
export function companionFolders(
  name: string,
  { files, round }: SeenFiles = { files: [], round: 0 },
): readonly string[] {
  const session = JSON_FILE.exec(name)?.[1]
  if (session === undefined) return []
  const ids = new Set([session, session.replace(/^ses_/, '')])
  const folders = [...ids].map((id) => `${MESSAGES}/${id}`)
  const messages = files.filter((path) => path.startsWith(`${MESSAGES}/`))
  if (messages.length === 0) return folders
  const parts = [PARTS, ...messages.map((path) => `${PARTS}/${stemOf(path)}`)]
  const isMissed = round > 1 && messages.length === files.length
  return [...folders, ...parts, ...(isMissed ? [`${PARTS}/*`] : [])]
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
}

/** Messages first: what a part is depends on whose it is. */
export function companions(name: string, neighbours: readonly string[]): readonly string[] {
  if (!JSON_FILE.test(name)) return []
  const inFolder = (folder: string): readonly string[] =>
    neighbours.filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.json'))
  return [...inFolder(MESSAGES), ...inFolder(PARTS)]
}
