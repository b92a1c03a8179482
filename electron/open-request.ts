import { resolve } from 'node:path'
import { LINK_SCHEME, type OpenEvent, parseDeepLink } from '../core/host/shared/deep-link.ts'

/** The event that opens a file at its start. */
export function openFileEvent(path: string): OpenEvent {
  return { kind: 'open', source: { kind: 'path', path }, turn: null, tab: null }
}

/**
 * What a command line asks for: deep links in order, then the files together. `args` is the command line without
 * the program. Chromium adds switches of its own: what starts with "-" is none of ours, and
 * what is no file on disk is left out.
 */
export function openRequests(
  args: readonly string[],
  cwd: string,
  isFile: (path: string) => boolean,
): readonly OpenEvent[] {
  const files: string[] = []
  const links = args.flatMap((arg): readonly OpenEvent[] => {
    if (arg.startsWith(`${LINK_SCHEME}:`)) {
      const link = parseDeepLink(arg)
      return link.ok ? [link.value] : []
    }
    if (arg === '' || arg.startsWith('-')) return []
    const path = resolve(cwd, arg)
    if (isFile(path)) files.push(path)
    return []
  })
  const [first, ...others] = files
  if (first === undefined) return links
  // [I97] Files that are named together are opened together.
  return [
    ...links,
    others.length === 0 ? openFileEvent(first) : { ...openFileEvent(first), others },
  ]
}
