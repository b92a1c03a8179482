import { fieldWords } from '../core/engine/schema/issue-words.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { HostEvent } from '../core/wire/contract.ts'
import { err, ok, type Result } from '../core/engine/result.ts'

export const LINK_SCHEME = 'turnscope'
const MAX_LINK = 8192

type OpenEvent = Extract<HostEvent, { kind: 'open' }>

/**
 * An absolute path on this machine. A link may come from any web page: `//host/share` and
 * `\\host\share` would make Windows send its user's credentials to that host.
 */
const LocalPath = z
  .string()
  .max(4096)
  .regex(/^(?:\/(?![/\\])|[A-Za-z]:[\\/](?![\\/]))/u, 'must be an absolute path on this machine')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')

const Query = z.strictObject({
  path: LocalPath,
  turn: z
    .string()
    .regex(/^[1-9]\d{0,6}$/u, 'must be the number of a turn')
    .transform(Number)
    .optional(),
  tab: z
    .string()
    .regex(/^[a-z][a-z-]{0,30}$/u, 'must be the name of a tab')
    .optional(),
})

/** `turnscope://open?path=…&turn=…&tab=…`; `turn` counts from 1, as shown. Anything else in the link refuses it. */
export function parseDeepLink(link: string): Result<OpenEvent> {
  const refused = (what: string) =>
    err({
      what: `the link cannot be used: ${what}`,
      where: link.slice(0, 200),
      do: `Use ${LINK_SCHEME}://open?path=/absolute/path&turn=12&tab=decision.`,
    })
  if (link.length > MAX_LINK || !URL.canParse(link)) return refused('it is not a URL')
  const url = new URL(link)
  const isOpen = url.protocol === `${LINK_SCHEME}:` && url.host === 'open'
  if (!isOpen || !['', '/'].includes(url.pathname)) return refused('only "open" is known')
  const pairs = [...url.searchParams]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) return refused('a part is given twice')
  const query = Query.safeParse(fields)
  if (!query.success) {
    return refused(fieldWords(query.error.issues[0], 'the link'))
  }
  const { path, turn, tab } = query.data
  return ok({ kind: 'open', source: { kind: 'path', path }, turn: turn ?? null, tab: tab ?? null })
}

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
