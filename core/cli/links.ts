import { resolve } from 'node:path'
import { type LinkedPlace, addressOf, findOpener } from '../host/shared/opener.ts'
import { linked } from '../host/shared/terminal.ts'

export const LINK_CHOICES = ['auto', 'always', 'never'] as const
export type LinkChoice = (typeof LINK_CHOICES)[number]

type Env = Readonly<Record<string, string | undefined>>

/** Terminals that follow links (OSC 8), by what they say of themselves. */
const FOLLOWS: ReadonlyArray<readonly [variable: string, value: RegExp]> = [
  ['TERM_PROGRAM', /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|WarpTerminal|zed)$/u],
  ['TERM', /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm)/u],
  ['WT_SESSION', /./u],
  ['KITTY_WINDOW_ID', /./u],
  ['DOMTERM', /./u],
  ['KONSOLE_VERSION', /^(?:[3-9]\d|2[1-9]|20[1-9])\d*$/u],
  // Terminals on VTE (GNOME's and others), from 0.50 on; 0.50.0 itself crashes on links.
  ['VTE_VERSION', /^(?:500[1-9]|50[1-9]\d|5[1-9]\d\d|[6-9]\d{3})$/u],
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
  return FOLLOWS.some(([variable, value]) => value.test(env[variable] ?? ''))
}

const isSaid = (value: string | undefined): boolean => !['', '0', 'false', undefined].includes(value)

/** Makes a text of a line the link to a place; `file` as it was given, null where none can be named. */
export type Linker = (
  place: Omit<LinkedPlace, 'path'> & { readonly file: string | null },
  text: string,
) => string

const PLAIN: Linker = (_, text) => text

interface Asked {
  readonly workspace: string
  readonly links?: LinkChoice | undefined
  readonly json?: boolean | undefined
}

/** [F189] Links of a command's output; texts stay as they are where nothing would open them. */
export async function openLinker({ workspace, links = 'auto', json }: Asked): Promise<Linker> {
  if (json === true || !wantsLinks(links, process.env, process.stdout.isTTY)) return PLAIN
  const opener = await findOpener(workspace)
  if (opener === null) return PLAIN
  return ({ file, ...place }, text) =>
    file === null || file === '-'
      ? text
      : linked(addressOf(opener, { ...place, path: resolve(file) }), text)
}
