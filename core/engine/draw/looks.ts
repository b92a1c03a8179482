import { domainStyle } from '../schema/domain-style.ts'
import type { PictureTheme } from '../schema/picture.ts'
import { cleaned } from './text.ts'

/** Appearance of a domain. */
export interface Look {
  readonly name: string
  readonly code: string
  readonly color: string
  /** Of letters on the colour. */
  readonly on: string
}

/** Domain number that means no domain. */
export const NONE = -1

/** Name shown for no domain. */
export const NOTHING = 'none'

/** [U150] Looks by the name of a domain: those of the window for the same configuration. */
export function looksOf(domains: readonly string[], theme: PictureTheme): (name: string) => Look {
  const styles = domainStyle(domains)
  const known = new Map<string, Look>()
  return (name) => {
    const before = known.get(name)
    if (before) return before
    const style = styles.get(name)
    const { code, color, on } = style
    // Codes consist of letters of the name. Characters that a picture cannot contain are removed.
    const look = { name: cleaned(style.name), code: cleaned(code) || '??' }
    const made = { ...look, color: color[theme], on: on[theme] }
    known.set(name, made)
    return made
  }
}
