import { withoutModifiers } from './any-case.ts'
import { COLOUR } from './assigned.ts'
import { GITLEAKS, type GitleaksRow } from './gitleaks-table.ts'
import type { Rule } from './rule.ts'
import { entropy, isMixed, isPlaceholder } from './secret-like.ts'

/** `LINEAR_CLIENT="…"`, `"datadog.key": "…"`: what stands between a provider's name and the value. */
const SIGN = String.raw`[ \t\w.-]{0,20}[\s'"\\]{0,8}${COLOUR}{0,2}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=\\]{0,8}${COLOUR}{0,2}`
/** A value ends where its letters end; gitleaks lists a few signs and misses colours and brackets. */
const END = '(?![A-Za-z0-9])'

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)

/** [F30] One rule of gitleaks as one of ours. */
function ruleOf({ id, form, anchors, shape, entropy: least = 0, back }: GitleaksRow): Rule {
  const isNamed = form === 'named'
  const name = isNamed ? `(?i:${anchors.map(escaped).join('|')})${SIGN}` : ''
  return {
    ...{ kind: 'key', name: id, anchors, before: isNamed ? 'any' : 'word' },
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
