import { resolve } from 'node:path'
import { LINK_SCHEME, type OpenEvent, parseDeepLink } from '../core/host/windows/deep-link.ts'
import type { HostEvent } from '../core/wire/contract.ts'

/** The event that opens a file at its start. */
export function openFileEvent(path: string): OpenEvent {
  return { kind: 'open', source: { kind: 'path', path }, turn: null, tab: null }
}

type RefusedEvent = Extract<HostEvent, { kind: 'refused' }>
type LinkEvent = OpenEvent | RefusedEvent

/** [L108] What a link asks for; one that cannot be used opens nothing, and says why. */
export function linkEvent(link: string): LinkEvent {
  const parsed = parseDeepLink(link)
  return parsed.ok ? parsed.value : { kind: 'refused', ...parsed.error }
}

const IS_LINK = new RegExp(`^${LINK_SCHEME}:`, 'iu')

/**
 * What a command line asks for: deep links in order, then the files together, then what was refused, for opening
 * takes away what was said before. `args` is the command line without the program. Chromium adds switches of its own:
 * what starts with "-" is none of ours, and what is no file on disk is left out.
 */
export function openRequests(
  args: readonly string[],
  cwd: string,
  isFile: (path: string) => boolean,
): readonly LinkEvent[] {
  const files: string[] = []
  const links = args.flatMap((arg): readonly LinkEvent[] => {
    if (IS_LINK.test(arg)) return [linkEvent(arg)]
    if (arg === '' || arg.startsWith('-')) return []
    const path = resolve(cwd, arg)
    if (isFile(path)) files.push(path)
    return []
  })
  const opened = links.filter(({ kind }) => kind === 'open')
  const refused = links.filter(({ kind }) => kind === 'refused')
  const [first, ...others] = files
  if (first === undefined) return [...opened, ...refused]
  // [I97] Files that are named together are opened together.
  const file = others.length === 0 ? openFileEvent(first) : { ...openFileEvent(first), others }
  return [...opened, file, ...refused]
}
