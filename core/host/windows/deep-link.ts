import { z } from 'zod'
import { err, ok, type Result } from '../../engine/result.ts'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import type { HostEvent } from '../../wire/contract.ts'

export const LINK_SCHEME = 'turnscope'
const MAX_LINK = 8192

export type OpenEvent = Extract<HostEvent, { kind: 'open' }>

/**
 * An absolute path on this machine. A link may come from any web page: `//host/share` and
 * `\\host\share` would make Windows send its user's credentials to that host.
 */
const LocalPath = z
  .string()
  .max(4096)
  .regex(/^(?:\/(?![/\\])|[A-Za-z]:[\\/](?![\\/]))/u, 'must be an absolute path on this machine')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')

const number = (what: string, pattern: RegExp) =>
  z.string().regex(pattern, `must be the number of ${what}`).transform(Number).optional()

/** A name, and never a path. */
const name = (what: string) =>
  z
    .string()
    .regex(/^[^\p{Cc}/\\]{1,200}$/u, `must be the name of ${what}`)
    .optional()

const Query = z
  .strictObject({
    path: LocalPath,
    session: number('a session', /^[1-9]\d{0,6}$/u),
    turn: number('a turn', /^[1-9]\d{0,6}$/u),
    id: z
      .string()
      .regex(/^[^\p{Cc}]{1,4096}$/u, 'must be the id of a session')
      .optional(),
    event: number('an event', /^\d{1,8}$/u),
    tab: z
      .string()
      .regex(/^[a-z][a-z-]{0,30}$/u, 'must be the name of a tab')
      .optional(),
    preset: name('a preset'),
    domains: name('a domain file'),
    profile: name('a profile'),
    // A revision of git may hold slashes.
    compare: z
      .string()
      .regex(/^[^\p{Cc}]{1,200}$/u, 'must be the name of a side')
      .optional(),
  })
  .refine(
    ({ session, id }) => session === undefined || id === undefined,
    'it names the session twice',
  )

/**
 * [L108] `turnscope://open?path=…&session=…&turn=…&event=…&tab=…`. `session` and `turn` count from 1, as shown, `event`
 * from 0; `id` is the session's id, in the place of its number. [U224] `preset`, `domains`, `profile` and `compare` say what
 * decides the turns, as the window's own link does. Anything else in the link refuses it.
 */
export function parseDeepLink(link: string): Result<OpenEvent> {
  const refused = (what: string) =>
    err({
      what: `the link cannot be used: ${what}`,
      where: link.slice(0, 200),
      do: `Use ${LINK_SCHEME}://open?path=/absolute/path&turn=12&tab=decision.`,
    })
  if (link.length > MAX_LINK) return refused(`it has more than ${MAX_LINK} characters`)
  if (!URL.canParse(link)) return refused('it is not a URL')
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
  const { path, session, id, turn, event, tab, preset, domains, profile, compare } = query.data
  return ok({
    kind: 'open',
    source: { kind: 'path', path },
    turn: turn ?? null,
    tab: tab ?? null,
    ...(session === undefined ? {} : { session: session - 1 }),
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    ...(preset === undefined ? {} : { preset }),
    ...(domains === undefined ? {} : { domains }),
    ...(profile === undefined ? {} : { profile }),
    ...(compare === undefined ? {} : { compare }),
  })
}
