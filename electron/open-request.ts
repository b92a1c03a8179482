import { resolve } from 'node:path'
import { LINK_SCHEME, type OpenEvent, parseDeepLink } from '../core/host/windows/deep-link.ts'
import type { HostEvent } from '../core/wire/contract.ts'

/** The event that opens a file at its start. */
export function openFileEvent(path: string): OpenEvent {
  return { kind: 'open', source: { kind: 'path', path }, turn: null, tab: null }
}

type RefusedEvent = Extract<HostEvent, { kind: 'refused' }>
type LinkEvent = OpenEvent | RefusedEvent

/** [L108] The event for a link. An invalid link opens nothing and reports the reason. */
export function linkEvent(link: string): LinkEvent {
  const parsed = parseDeepLink(link)
  return parsed.ok ? parsed.value : { kind: 'refused', ...parsed.error }
}

const IS_LINK = new RegExp(`^${LINK_SCHEME}:`, 'iu')

/**
 * The events for a command line: deep links in order, then the files together, then refusals, because opening removes
 * earlier messages. `args` is the command line without the program. Chromium adds its own switches, so arguments that
 * start with "-" are ignored. Arguments that are no file on disk are skipped.
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
