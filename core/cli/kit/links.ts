import { resolve } from 'node:path'
import {
  type LinkedPlace,
  type LinkedRow,
  type LinkedRun,
  addressOf,
  findOpener,
} from '../../host/windows/opener.ts'
import type { ReadCorpus } from '../../host/corpus/lab/read-corpus.ts'
import { linked } from '../../host/platform/terminal.ts'
import { oneOf } from './options.ts'
import { STANDARD_INPUT } from './standard-input.ts'

const LINK_CHOICES = ['auto', 'always', 'never'] as const
type LinkChoice = (typeof LINK_CHOICES)[number]

/** Of commands whose lines name turns. */
export const LINKS = {
  links: oneOf(
    '--links <when>',
    'turns as links to the window: always, never, or auto (a terminal that follows links)',
    LINK_CHOICES,
  ),
} as const

type Env = Readonly<Record<string, string | undefined>>

/** Terminals that follow links (OSC 8), recognized by their environment variables. */
const FOLLOWS: ReadonlyArray<readonly [said: (env: Env) => string | undefined, value: RegExp]> = [
  [
    (env) => env['TERM_PROGRAM'],
    /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|WarpTerminal|zed)$/u,
  ],
  [(env) => env['TERM'], /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm)/u],
  [(env) => env['WT_SESSION'], /./u],
  [(env) => env['KITTY_WINDOW_ID'], /./u],
  [(env) => env['DOMTERM'], /./u],
  // Konsole says 220401 for 22.04.1; it follows links from 20.12 on, which has six digits too.
  [
    (env) => env['KONSOLE_VERSION'],
    /^(?:20120\d|20(?:1[3-9]|[2-9]\d)\d\d|2[1-9]\d{4}|[3-9]\d{5})$/u,
  ],
  // Terminals on VTE (GNOME's and others), from 0.50 on; 0.50.0 itself crashes on links.
  [(env) => env['VTE_VERSION'], /^(?:500[1-9]|50[1-9]\d|5[1-9]\d\d|[6-9]\d{3})$/u],
]

/**
 * [L111] Whether links are written: `always` and `never` say so; else only to a terminal that is known to follow them,
 * never into a pipe, a file or a log of CI. NO_HYPERLINK and FORCE_HYPERLINK are heard, as other tools do.
 */
export function wantsLinks(choice: LinkChoice, env: Env, isTerminal: boolean): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (!isTerminal || isSaid(env['CI']) || isSaid(env['NO_HYPERLINK'])) return false
  if (isSaid(env['FORCE_HYPERLINK'])) return true
  if (env['TERM'] === 'dumb') return false
  return FOLLOWS.some(([said, value]) => value.test(said(env) ?? ''))
}

const isSaid = (value: string | undefined): boolean =>
  !['', '0', 'false', undefined].includes(value)

/** A place in a file, as it was given. Null or `-` if no file can be named. */
type FilePlace = Omit<LinkedPlace, 'path'> & { readonly file: string | null }
/** Target of a link: a place in a file, or a row of a table that a batch read. */
export type LinkTo = FilePlace | LinkedRow

/** Turns part of a line into a link to the place. Without a place the text is unchanged. */
export type Linker = (place: LinkTo | null, text: string) => string

const PLAIN: Linker = (_, text) => text

/** True if the linker leaves texts unchanged, so that callers can skip looking up places. */
export const isPlain = (link: Linker): boolean => link === PLAIN

interface Asked {
  readonly workspace: string
  readonly links?: LinkChoice | undefined
  readonly json?: boolean | undefined
  readonly preset?: string | undefined
  readonly domains?: string | undefined
  readonly profile?: string | null | undefined
}

/** Defaults of the workspace. A link that omits a name uses them. */
const USUAL = { preset: 'recommended', domains: 'default' } as const

/** [U224] The names that a link has to say. A path names no file of the workspace, so that the window cannot open it. */
function runOf({ preset, domains, profile }: Asked): LinkedRun {
  const isName = (value: string | null | undefined): value is string =>
    typeof value === 'string' && /^[^/\\\p{Cc}]+$/u.test(value) && !/\.(?:ya?ml|json)$/u.test(value)
  return {
    ...(isName(preset) && preset !== USUAL.preset ? { preset } : {}),
    ...(isName(domains) && domains !== USUAL.domains ? { domains } : {}),
    ...(isName(profile) ? { profile } : {}),
  }
}

/** [F189] Links of a command's output. Texts are unchanged if no program would open the links. */
export async function openLinker(asked: Asked): Promise<Linker> {
  const { workspace, links = 'auto', json } = asked
  if (json === true || !wantsLinks(links, process.env, process.stdout.isTTY)) return PLAIN
  const opener = await findOpener(workspace)
  if (opener === null) return PLAIN
  const run = runOf(asked)
  return (place, text) => {
    const at = place === null ? null : absolute(place)
    return at === null ? text : linked(addressOf(opener, at, run), text)
  }
}

function absolute(place: LinkTo): LinkedPlace | LinkedRow | null {
  if ('results' in place) return place
  const { file, ...within } = place
  return file === null || file === STANDARD_INPUT ? null : { ...within, path: resolve(file) }
}

/**
 * [F189] The place of a turn in a corpus, by its event, because the window may number turns by a different preset. Null
 * if the text is in a labels file, which no window shows.
 * @param session number of the session in the corpus, from 0
 * @param seq number of the event in the session, from 0
 */
export function placeInCorpus(
  { origins, files }: Pick<ReadCorpus, 'origins' | 'files'>,
  session: number,
  seq: number,
): LinkTo | null {
  const origin = origins[session]
  const file = files[origin?.file ?? -1]?.path
  return origin === undefined || file === undefined
    ? null
    : { file, session: origin.inFile, event: seq }
}
