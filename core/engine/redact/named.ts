import { COLOUR } from './assigned.ts'
import { startsWord } from './place.ts'
import type { Finder, Rule } from './rule.ts'
import {
  NAME_REST,
  NO_SECRET_NAME,
  PASSWORD_ANCHORS,
  PASSWORD_STEM,
  SECRET_ANCHORS,
  SECRET_STEM,
} from './secret-names.ts'
import { isPlaceholder, isRandom, isUuid } from './secret-like.ts'
import { isScrambled, isStrongPassword, mayBePassword } from './password-like.ts'
import {
  bareReader,
  quotedAt,
  type BareEnd,
  type BareReader,
  MOST_UNITS,
  type ReadValue,
} from './value-reader.ts'

/** A name in a text: from the first unit of the whole name to the last one of its stem and suffix. */
interface Name {
  readonly start: number
  readonly stem: number
  readonly end: number
}

/** Syntax that connects a name and a value. */
interface Surrounding {
  readonly id: string
  /** Sticky, behind the name; the value begins where it ends. */
  readonly sign: RegExp
  /** Pattern that must match the text before the whole name. */
  readonly before?: RegExp
  /** Only a value in quotes counts. */
  readonly onlyQuoted?: boolean
  /** Only a value that no list of names holds counts, unless the text before says that a value is set. */
  readonly setBy?: RegExp
  /** A sentence may look the same: only a value that no sentence holds counts. */
  readonly isProse?: boolean
}

const QUOTE = String.raw`\\{0,15}["'\x60]`
const BLANK = String.raw`(?:\s|\\{1,15}[nrt])`
const GOES_ON = String.raw`(?:\\{1,16}(?:\r?\n|n)[ \t]{0,16})`
/** The end of a name: its quote, the bracket of a subscript, bold letters. */
const CLOSE = String.raw`(?:${QUOTE})?(?: ?\])?(?:\*{1,2}|_{2})?${COLOUR}{0,2}`
const sticky = (source: string) => new RegExp(source, 'iuy')

/** [R15] Surroundings in the order in which they are tried. */
const SURROUNDINGS: readonly Surrounding[] = [
  {
    id: 'assignment',
    sign: sticky(
      String.raw`${CLOSE}${BLANK}{0,4}(?:=>|:=|\?=|(?<![=!<>])=(?![=~>])|[:：＝](?!:)|(?<=\s)\|(?=\s))(?:\*{1,2})?[ \t]{0,8}(?:(?:${BLANK}{1,4})(?=${QUOTE})|[>|][+-]?${BLANK}{1,12})?${GOES_ON}?${COLOUR}{0,2}`,
    ),
  },
  {
    id: 'pair',
    sign: sticky(
      String.raw`(?:${QUOTE})?${BLANK}{0,12}(?:,${BLANK}{0,12})?(?:${QUOTE})?value(?:${QUOTE})?\s{0,4}[:=]\s{0,4}`,
    ),
  },
  {
    id: 'argument',
    sign: sticky(String.raw`${QUOTE}\s{0,8},\s{0,8}(?=[bfru@$]{0,2}${QUOTE})`),
    before: /(?:^|[^\w\s])\s{0,8}["'`]-{0,2}$/u,
    setBy:
      /(?:(?:set|put|add|env|header|with|register|prop|param|append|config|store|define|insert|default)\w{0,30}[(]\s{0,8}\\{0,15}["'`]|["'`]--?)$/iu,
    onlyQuoted: true,
  },
  { id: 'call', sign: sticky(String.raw`\(\s{0,8}(?=[bfru@$]{0,2}${QUOTE})`), onlyQuoted: true },
  { id: 'element', sign: sticky(String.raw`(?:${QUOTE})?>`) },
  { id: 'option', sign: sticky(`[ ]{1,2}${GOES_ON}?`), before: /(?:^|[\s"'`([])--?$/u },
  {
    id: 'netrc',
    sign: sticky(String.raw`(?:[ \t]|${BLANK}){1,4}`),
    before:
      /(?:^|\s|\\n)(?:machine\s{1,4}\S{1,200}|default)(?:\s|\\n){1,8}(?:(?:login|account)\s{1,4}\S{1,200}(?:\s|\\n){1,8}){0,2}$/u,
  },
  { id: 'SQL', sign: sticky(String.raw`[ ]{1,4}(?=\\{0,15}')`), onlyQuoted: true },
  {
    id: 'prose',
    sign: sticky(
      String.raw`\s{0,2}(?:is|ist|lautet|est|es|é|è|jest|是|为|為|は|는|은)[\s:：]{1,3}`,
    ),
    isProse: true,
  },
]

const NAME_UNIT = /[\p{L}\p{M}\p{N}_$.-]/u
const ASCII_NAME = Array.from({ length: 128 }, (_, code) =>
  NAME_UNIT.test(String.fromCharCode(code)),
)

function isNameUnit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? (ASCII_NAME[code] ?? false) : NAME_UNIT.test(text.charAt(at))
}

function nameAt(text: string, at: number, stem: RegExp): Name | null {
  stem.lastIndex = at
  const match = stem.exec(text)
  if (match === null) return null
  let start = at
  while (start > 0 && at - start < 60 && isNameUnit(text, start - 1)) start -= 1
  // `\n` before a name is an escape, as JSON writes a line end.
  if (text[start - 1] === '\\' && /[nrt]/u.test(text.charAt(start)) && start < at) start += 1
  if (match.groups?.['word'] !== undefined && !isWholeWord(text, at, at + match[0].length))
    return null
  if (NO_SECRET_NAME.test(text.slice(start, at))) return null
  NAME_REST.lastIndex = at + match[0].length
  const end = at + match[0].length + (NAME_REST.exec(text)?.[0].length ?? 0)
  return { start, stem: at, end }
}

/** `dbPass`, `db_pass`, `pass`; not `bypass`, `compass`, `pass2` is one by its rest. */
function isWholeWord(text: string, at: number, end: number): boolean {
  if (/[\p{L}\p{M}]/u.test(text.charAt(end))) return false
  if (startsWord(text, at)) return true
  return (
    /[A-Z]/u.test(text.charAt(at)) &&
    /[a-z0-9]/u.test(text.charAt(at - 1)) &&
    /[a-z]/u.test(text.charAt(at + 1))
  )
}

/** A place where a name and its value were found. */
interface Met {
  readonly text: string
  readonly name: Name
  readonly around: Surrounding
  /** Text between the name and the value. */
  readonly sign: string
  readonly value: ReadValue
}

function* metAt(text: string, name: Name, bare: BareReader): Generator<Met> {
  for (const around of SURROUNDINGS) {
    around.sign.lastIndex = name.end
    const match = around.sign.exec(text)
    if (match === null) continue
    const { before } = around
    if (before !== undefined && !before.test(beforeName(text, name))) continue
    const sign = match[0]
    const at = name.end + sign.length
    const quoted = quotedAt(text, at)
    if (quoted !== null && !isKeyOfJson(text, quoted))
      yield { text, name, around, sign, value: quoted }
    if (quoted !== null || around.onlyQuoted === true) continue
    // A JSON number or word has to stay one.
    if (/["']/u.test(sign) && /[:,]/u.test(sign)) continue
    const value = bare(afterOpener(text, at), bareEnd(text, name))
    // A quote that ended a text of JSON: its next items follow.
    if (value !== null && !/^[,:\]}]/u.test(value.text)) yield { text, name, around, sign, value }
  }
}

/** Text before a name, with the dashes of an option: names include dashes. */
function beforeName(text: string, { start, stem }: Name): string {
  const dashes = /^-{1,2}(?=[A-Za-z][\w-]*$|$)/u.exec(text.slice(start, stem))
  return text.slice(Math.max(0, start - 420), start + (dashes?.[0].length ?? 0))
}

/** A text before a colon is the name of the next field. */
function isKeyOfJson(text: string, { end }: ReadValue): boolean {
  return /^\\{0,15}"\s{0,4}:/u.test(text.slice(end, end + 22))
}

/** Behind a quote that is not closed: a text that was cut. */
function afterOpener(text: string, at: number): number {
  const opener = /\\{0,15}["'`]/uy
  opener.lastIndex = at
  return at + (opener.exec(text)?.[0].length ?? 0)
}

/** Whether a bare value is one of a query or of a list of settings with semicolons. */
function bareEnd(text: string, { start }: Name): BareEnd {
  const before = text.slice(Math.max(0, start - 130), start)
  return {
    isQuery: /(?:[?&]|\\u0026)$/u.test(before),
    isList: before.slice(-40).includes(';') && /=[^\s;=]{0,80};[\w ]{0,40}$/u.test(before),
  }
}

/** [R17] Whether the value behind the name of a password is a password. */
function isPasswordMet(met: Met): boolean {
  const { text, name, around, sign, value } = met
  const { quote, text: plain } = value
  if (!mayBePassword(plain, quote !== '' && quote !== '`')) return false
  if (/\s/u.test(plain)) return quote !== '' && isPhrase(plain, text, name, sign)
  if (isTestResult(text, name, sign)) return false
  if (around.setBy?.test(beforeName(text, name)) === false)
    return isStrongPassword(plain) && /\d/u.test(plain)
  if (isStrongPassword(plain)) return quote !== '' || !(isCode(text, value) || isWord(text, value))
  return isWeakMet(met)
}

/** A word or digits: the surrounding has to be one of settings. */
function isWeakMet(met: Met): boolean {
  const { text, name, around, value } = met
  const { quote, text: plain } = value
  if (around.isProse === true || isCount(text, name, plain)) return false
  if (quote !== '' && quote !== '`') return true
  if (around.id !== 'assignment') return around.id !== 'argument' && !isUsage(plain)
  return isSetting(met)
}

/** Words in quotes with a digit, or behind the name of a phrase: `correct horse 7`; not `Enter your password`. */
function isPhrase(value: string, text: string, { start, stem, end }: Name, sign: string): boolean {
  const words = value.split(/\s+/u).length
  if (words > 12 || value.length > 120) return false
  if (/^passphrase/iu.test(text.slice(stem, stem + 10))) return words > 2
  if (words > 4 || /[.?:]$/u.test(value)) return false
  return /\d/u.test(value) || (sign === '=' && /^[A-Z][A-Z0-9_]+$/u.test(text.slice(start, end)))
}

/** `PASS: name of a test (0.01s)`. */
function isTestResult(text: string, { start, stem, end }: Name, sign: string): boolean {
  if (start !== stem || !/^pass$/iu.test(text.slice(stem, end)) || !sign.startsWith(':'))
    return false
  return (
    text[stem] === 'P' || /(?:---|✓|\d) {0,2}$/u.test(text.slice(Math.max(0, start - 6), start))
  )
}

/** `pass: 42` counts tests; a password of digits has four and more. */
function isCount(text: string, { start, stem }: Name, value: string): boolean {
  if (!/^\d+$/u.test(value)) return false
  if (value.length < 4) return true
  return start === stem && /^(?:pass|pw)[^a-z]/iu.test(text.slice(stem, stem + 5))
}

/** `--password string`, `-p PASSWORD`: how help texts name a value. */
function isUsage(value: string): boolean {
  return /^[A-Z_]{3,}$|^[-|]/u.test(value)
}

/** A name of a variable, a call or a member behind a bare value: code. */
function isCode(text: string, { end, text: value }: ReadValue): boolean {
  return (
    /^[A-Za-z_$][\w$]*$/u.test(value) &&
    /^[([.]/u.test(text.slice(end, end + 1)) &&
    !isScrambled(value)
  )
}

/** `something1 is what`: a word with a number, within a sentence. */
function isWord(text: string, { end, text: value }: ReadValue): boolean {
  return /^[A-Za-z][a-z]+\d{1,3}$/u.test(value) && /^ [a-z]+ [a-z]/u.test(text.slice(end, end + 40))
}

/** A bare word counts where files of settings and shells have it, and not where code and sentences have it. */
function isSetting(met: Met): boolean {
  const { text, name, sign, value } = met
  const line = text.slice(Math.max(0, name.start - 120), name.start)
  const head = /[^\n]*$/u.exec(line.replaceAll(/\\n/gu, '\n'))?.[0] ?? ''
  const behind = text.slice(value.end, value.end + 40)
  const whole = text.slice(name.start, name.end)
  // `password: PASSWORD_FIELD` names a constant.
  if (/^[A-Z_]+$/u.test(value.text) && !/^[A-Z]/u.test(whole)) return false
  if (sign === '=') return !/^[,)]/u.test(behind) && isTight(whole, head)
  const endsLine = /^\s*(?:$|\n|\r|\\n|\\r|["'`]|#| #|\*|\|)/u.test(behind)
  const beginsLine = /^(?:[\s>*|-]|export\s|set\s|"|'|`|\*)*$/u.test(head)
  if (!endsLine || !beginsLine) return false
  return /^[ \t]*=/u.test(sign) ? isIni(met, whole) : isYaml(met)
}

/** `NAME=word`, `a.b=word`, `?name=word`, and at the beginning of a line. */
function isTight(name: string, head: string): boolean {
  if (/^[A-Z][A-Z0-9_]*$/u.test(name) || /[._-]|[a-z][A-Z]/u.test(name)) return true
  return /[?&;]$|^\s*$|[A-Za-z0-9]=\S*\s$/u.test(head) || /^\S+=/u.test(head)
}

/** `a.b = word`, `NAME = word`, and below the head of a section; elsewhere it is code. */
function isIni({ text, name, value }: Met, whole: string): boolean {
  if (/[.-]/u.test(whole) || /^[A-Z][A-Z0-9_]+$/u.test(whole)) return true
  const before = text.slice(Math.max(0, name.start - 300), name.start)
  return /^\s*\[[\w .:-]+\]\s*$/mu.test(before) || isScrambled(value.text)
}

/** `name: word`; a word with a capital may be a type. */
function isYaml({ text, name, sign, value: { text: word } }: Met): boolean {
  if (/[：＝|`*]/u.test(sign) || isScrambled(word) || /^\d+$/u.test(word)) return true
  const isTitle = /^[A-Z][a-z]+$/u.test(word) || /^[A-Z]\w*[a-z]\w*[A-Z]/u.test(word)
  return !isTitle || hasNeighbour(text, name)
}

const NEIGHBOUR =
  /(?:^|\n|\\n)[ \t-]*(?:user(?:name)?|login|host|database|db|account|e?mail)["']?[ \t]*[:=][ \t]*["']?(?!(?:str|string|String|z\.|t\.)\b)[\w@.-]+["']?[ \t]*(?:$|\n|\\n)/u

/** A line beside it that settings have: the name of a user or host. */
function hasNeighbour(text: string, { start, end }: Name): boolean {
  return (
    NEIGHBOUR.test(text.slice(Math.max(0, start - 200), start)) ||
    NEIGHBOUR.test(text.slice(end, end + 300))
  )
}

/** [R16] Returns true if the value after the name of a key or token is a secret. */
function isSecretMet({ text, name, around, sign, value }: Met): boolean {
  const { text: plain, quote } = value
  if (around.isProse === true && !isRandom(plain)) return false
  if (/\s/u.test(plain) || isPlaceholder(plain) || isUuid(plain)) return false
  const stem = text.slice(name.stem, name.end)
  if (/^_?auth$/iu.test(stem)) return isEncodedLogin(plain)
  if (/^_key$/iu.test(stem)) return isProviderKey(text, name, plain)
  if (quote === '' && /[()[\]]/u.test(plain)) return false
  if (isRandom(plain)) return true
  return (
    sign.trim().startsWith('=') && /secret/iu.test(stem) && plain.length >= 12 && isScrambled(plain)
  )
}

/** `STRIPE_KEY=…`: in capitals, and no hash. */
function isProviderKey(text: string, { start, end }: Name, value: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/u.test(text.slice(start, end)) &&
    isRandom(value) &&
    value.length >= 16 &&
    !/^[\da-f]+$/iu.test(value)
  )
}

/** [R19] `user:password` in base64, as registries of Docker and npm have it. */
function isEncodedLogin(value: string): boolean {
  return /^[A-Za-z0-9+/]{12,2000}={0,2}$/u.test(value) && (value.endsWith('=') || isRandom(value))
}

function finderOf(stem: RegExp, accept: (met: Met) => boolean): Finder {
  return (text) => {
    const bare = bareReader(text)
    return (at) => {
      const name = nameAt(text, at, stem)
      if (name === null) return null
      for (const met of metAt(text, name, bare)) {
        if (accept(met)) return [met.value.start, met.value.end]
      }
      return null
    }
  }
}

/** [R15] [R16] Rules for values announced by a name. The surrounding syntax determines how the value is read. */
export const NAMED_RULES: readonly Rule[] = [
  {
    kind: 'key',
    name: 'password behind its name',
    anyCase: true,
    before: 'any',
    anchors: PASSWORD_ANCHORS,
    find: finderOf(PASSWORD_STEM, isPasswordMet),
  },
  {
    kind: 'key',
    name: 'secret behind its name',
    anyCase: true,
    before: 'any',
    anchors: SECRET_ANCHORS,
    find: finderOf(SECRET_STEM, isSecretMet),
  },
]

const FIELD_RULES = [
  [PASSWORD_STEM, isPasswordMet],
  [SECRET_STEM, isSecretMet],
] as const
/** Units of the name of a field that is looked at. */
const LONGEST_NAME = 100

/**
 * [R20] Whether the text under this name is a secret, where both are data: the same rules decide as for
 * `"name": "value"` in a text.
 */
export function isSecretField(name: string, value: string): boolean {
  const [assignment] = SURROUNDINGS
  if (assignment === undefined || name.length > LONGEST_NAME || value.length > MOST_UNITS)
    return false
  const text = `"${name}": "`
  const read = { start: text.length, end: text.length + value.length, text: value, quote: '"' }
  for (let at = 1; at <= name.length; at += 1) {
    for (const [stem, accept] of FIELD_RULES) {
      const found = nameAt(text, at, stem)
      if (found === null || found.end !== name.length + 1) continue
      if (accept({ text, name: found, around: assignment, sign: '": ', value: read })) return true
    }
  }
  return false
}
