import { COLOUR } from './assigned.ts'
import { GITLEAKS, type GitleaksRow } from './gitleaks-table.ts'
import type { Rule } from './rule.ts'
import { entropy, isMixed, isPlaceholder } from './secret-like.ts'

/**
 * Writes out what `(?i:…)` and `(?-i:…)` of a pattern mean, in classes of both cases: Node 20 and 22 and older browsers do
 * not know these groups. For patterns without the flags `i`, `u` and `v` and with ASCII letters, as gitleaks has them;
 * the groups become plain ones, so that numbers and names of captures stay.
 */
export function withoutModifiers(pattern: string): string {
  let out = ''
  let rest = pattern
  /** Whether case counts, for each group that is open, outermost first. */
  const open: boolean[] = [false]
  for (let token = TOKEN.exec(rest)?.[0] ?? ''; token !== ''; token = TOKEN.exec(rest)?.[0] ?? '') {
    rest = rest.slice(token.length)
    const anyCase = open.at(-1) ?? false
    if (token === '(?i:' || token === '(?-i:') {
      open.push(token === '(?i:')
      out += '(?:'
    } else if (token.startsWith('(')) {
      open.push(anyCase)
      out += token
    } else {
      if (token === ')') open.pop()
      out += anyCase ? bothCases(token) : token
    }
  }
  return out
}

/** A group's beginning, an escape, a class, a count, or one character. */
const TOKEN =
  /^(?:\(\?(?:-?i:|:|<?[=!]|<\w+>)|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S])/

function bothCases(token: string): string {
  if (token.length > 1) return token.startsWith('[') ? bothCasesOfClass(token) : token
  return LETTER.test(token) ? `[${token.toLowerCase()}${token.toUpperCase()}]` : token
}

const LETTER = /^[A-Za-z]$/

/** Each letter and each range of letters, with its other case behind it. */
function bothCasesOfClass(token: string): string {
  return token.replaceAll(/\\[\s\S]|[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z]/g, (part) => {
    if (part.startsWith('\\')) return part
    const low = part.toLowerCase()
    const high = part.toUpperCase()
    return `${low}${high}`
  })
}

/** `LINEAR_CLIENT="…"`, `"datadog.key": "…"`: the characters between a provider's name and the value. */
const SIGN = String.raw`[ \t\w.-]{0,20}[\s'"\\]{0,8}${COLOUR}{0,2}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=\\]{0,8}${COLOUR}{0,2}`
/** A value ends at its last letter or digit. gitleaks lists a few signs instead and misses colours and brackets. */
const END = '(?![A-Za-z0-9])'

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)

/** [F30] One rule of gitleaks as one of ours. */
function ruleOf({ id, form, anchors, shape, entropy: least = 0, back }: GitleaksRow): Rule {
  const isNamed = form === 'named'
  const name = isNamed ? `(?i:${anchors.map(escaped).join('|')})${SIGN}` : ''
  return {
    kind: 'key',
    name: id,
    anchors,
    before: isNamed ? 'any' : 'word',
    ...(isNamed ? { anyCase: true, lookAgain: true } : { wraps: true }),
    ...(back === undefined ? {} : { back }),
    shape: new RegExp(withoutModifiers(`${name}(?<v>${shape})${END}`), 'y'),
    accept: (match, text) => {
      const value = match.groups?.['v'] ?? match[0]
      if (isPlaceholder(value) || entropy(value) < least) return false
      if (isNamed) return isMixed(value)
      return !isInsideBase64(text, match.index)
    },
  }
}

/** Behind `/` or `+` among letters and digits: any four letters occur in an image. */
function isInsideBase64(text: string, at: number): boolean {
  if (!/[+/]/u.test(text[at - 1] ?? '')) return false
  const before = text.slice(Math.max(0, at - 17), at)
  return /^[A-Za-z0-9+/]{17}$/u.test(before) && isMixed(before)
}

export const GITLEAKS_RULES: readonly Rule[] = GITLEAKS.map(ruleOf)
