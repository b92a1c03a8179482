import { ADDRESS_RULES } from './addresses.ts'
import { COMMAND_RULES, COOKIE_RULES } from './commands.ts'
import { KEY_PATTERNS, KEY_RULES } from './key-rules.ts'
import { NAMED_RULES } from './named.ts'
import { PERSONAL_PATTERNS } from './personal.ts'
import { afterEscape } from './place.ts'
import type { Finder, Pattern, Rule } from './rule.ts'
import { isCredential, isOpaque, isRandom } from './secret-like.ts'
import { createRunEnd } from './wrapped.ts'

const value = (match: RegExpExecArray) => match.groups?.['v'] ?? match[0]

const URL64 = /[A-Za-z0-9_-]*/uy
/** Units of a part of a JSON web token. */
const SHORTEST = 8

/** Three parts joined by dots. A run of letters is read once, no matter how often it contains `eyJ`. */
const jsonWebToken: Finder = (text) => {
  const runEnd = createRunEnd(text, URL64)
  return (at) => {
    const head = runEnd(at)
    if (text[head] !== '.' || head - at < SHORTEST + 3) return null
    const body = runEnd(head + 1)
    if (text[body] !== '.' || body - head <= SHORTEST) return null
    const end = runEnd(body + 1)
    return end - body <= SHORTEST ? null : [at, end]
  }
}

const TOKEN_RULES: readonly Rule[] = [
  {
    kind: 'token',
    name: 'JSON web token',
    anchors: ['eyJ'],
    before: 'word',
    find: jsonWebToken,
  },
  {
    kind: 'token',
    name: 'bearer token',
    anchors: ['bearer '],
    anyCase: true,
    before: 'word',
    shape: /bearer {1,4}(?<v>[A-Za-z0-9._~+/=-]{16,20000})/iuy,
    accept: (match) => isOpaque(value(match)),
  },
  {
    kind: 'token',
    name: 'authorization header',
    anchors: ['authorization'],
    anyCase: true,
    before: 'any',
    shape:
      /authorization(?<q1>\\{0,8}["'])?\s{0,4}[:=]\s{0,4}(?<q2>\\{0,8}["'])?(?:[A-Za-z][A-Za-z0-9-]{1,30} {1,4})?(?:(?:key|token|api[_-]?key)=(?:\\{0,8}["'])?)?(?<v>[A-Za-z0-9._~+/=:-]{8,20000})/iuy,
    accept: (match, text) => {
      const { q1, q2 } = match.groups ?? {}
      // The match is the name of a scheme before a value that is already redacted [R5].
      const end = match.index + match[0].length
      if (text.startsWith(' [REDACTED:', end)) return false
      return (q1 === undefined || q2 !== undefined) && isOpaque(value(match))
    },
  },
  {
    kind: 'token',
    name: 'credentials in an address',
    anchors: ['://'],
    before: 'any',
    shape:
      /:\/\/(?<v>[^\s/?#@:"'`\\<>[\](){}]{0,300}:[^\s/?#@"'`\\<>[\](){}]{1,1000}|[A-Za-z0-9_-]{20,1000})@/uy,
    accept: (match) => isCredential(value(match)),
  },
  {
    kind: 'token',
    name: 'credentials of a command',
    anchors: [' -u ', ' --user '],
    before: 'any',
    shape: / (?:-u|--user) ["']?(?<v>[^\s"':\\\p{Cc}]{1,100}:[^\s"'\\\p{Cc}]{3,200})/uy,
    accept: (match, text) =>
      isCredential(value(match)) &&
      /\b(?:curl|wget|http)\b[^\n]*$/u.test(
        text.slice(Math.max(0, match.index - 300), match.index),
      ),
  },
  {
    kind: 'token',
    name: 'cookie',
    anchors: ['cookie'],
    anyCase: true,
    before: 'any',
    shape:
      /cookie(?<q1>\\{0,8}["'])?\s{0,4}:\s{0,4}(?<q2>\\{0,8}["'])?(?<v>[^\s"'`\\;,=(){}<>[\]]{1,100}=[^\r\n"'`\\[\]\p{Cc}]{8,20000})/iuy,
    accept: (match) => {
      const { q1, q2 } = match.groups ?? {}
      return (q1 === undefined || q2 !== undefined) && /\d/u.test(value(match))
    },
  },
  {
    kind: 'token',
    name: 'session id',
    anchors: ['phpsessid', 'jsessionid', 'connect.sid', 'sessionid'],
    anyCase: true,
    before: 'any',
    shape:
      /(?:phpsessid|jsessionid|connect\.sid|sessionid)=(?<v>[^\s;"'`\\&,<>[\](){}]{12,1000})/iuy,
    accept: (match) => isRandom(value(match)),
  },
]

const LOCAL = /[\p{L}\p{N}._%+-]/u
const DOMAIN = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![\w(-])/uy
/** Endings that look like a file or a package version, and addresses that belong to no person. */
const NO_DOMAIN =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|s[ac]ss|js|mjs|cjs|jsx|ts|tsx|json|html?|md|py|rb|txt|ya?ml|toml|lock|php|cpp|java|local|localhost|invalid|internal|service|target|socket|timer)$|(?:^|\.)example\.(?:com|org|net|edu)$|\.(?:example|test)$/iu
const NOBODY = /^(?:git|no-?reply|do-?not-?reply|mailer-daemon|postmaster)$/iu

/** The letters on the left of an `@` and the domain on its right. */
const mailbox: Finder = (text) => (at) => {
  DOMAIN.lastIndex = at + 1
  const domain = DOMAIN.exec(text)?.[0]
  if (domain === undefined || NO_DOMAIN.test(domain)) return null
  const start = localStart(text, at)
  if (start === at || NOBODY.test(text.slice(start, at))) return null
  // `user:password@host` is another rule's.
  return isAuthority(text, start) ? null : [start, at + 1 + domain.length]
}

/** Start of the name before an `@`; 64 letters at most. */
function localStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 64 && LOCAL.test(text.charAt(start - 1))) start -= 1
  start = afterEscape(text, start, at)
  while (start < at && /[.%+-]/u.test(text.charAt(start))) start += 1
  return start
}

/** Whether a place is in `scheme://…`, before any slash, question mark or blank. */
function isAuthority(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at)
  return /:\/\/[^\s/?#"'`<>\\]*$/u.test(before)
}

/** Names that are accounts of machines, not of people. */
const NO_PERSON =
  /^(?:shared|public|default|all users|user|username|you|me|runner|node|ubuntu|debian|vscode|codespace|coder|app|appuser|root|admin|nobody|linuxbrew|circleci|jovyan|travis|vagrant|vsts|sandbox|agent|developer|your[-_]?name|name|x{2,}|\.{1,3})$/iu
const isPerson = (match: RegExpExecArray) => {
  const name = value(match)
  return /[\p{L}\p{N}]/u.test(name) && !NO_PERSON.test(name)
}

const HOME_RULES: readonly Rule[] = [
  {
    kind: 'home',
    name: 'home folder',
    anchors: ['/home/', '/Users/'],
    before: 'word',
    shape: /\/(?:home|Users)\/(?<v>[^\s/\\"'`<>|:*?$%{}()[\],;&=#!@]{1,64})/uy,
    accept: isPerson,
  },
  {
    kind: 'home',
    name: 'home folder of Windows',
    anchors: ['\\Users\\', ':/Users/', '\\users\\', '/c/Users/', '/d/Users/'],
    before: 'any',
    shape:
      /(?:\\[Uu]sers\\{1,8}|(?::|\/[cd])\/Users\/)(?<v>[^\s\\/:*?"'<>|$%{}()[\],;&=#!`]{1,64}(?: [^\s\\/:*?"'<>|$%{}()[\],;&=#!`]{1,32}(?=[\\/]))?)/uy,
    accept: isPerson,
  },
  {
    kind: 'home',
    name: 'home folder in the name of a folder',
    anchors: ['/-home-', '/-Users-', '\\-Users-', '--Users-'],
    before: 'any',
    shape: /[/\\-]-(?:home|Users)-(?<v>[A-Za-z0-9._]{1,64})/uy,
    accept: isPerson,
  },
]

/** [R1] All rules; which of them run is chosen by kind. */
export const RULES: readonly Rule[] = [
  ...NAMED_RULES,
  ...ADDRESS_RULES,
  ...COMMAND_RULES,
  ...COOKIE_RULES,
  ...KEY_RULES,
  ...TOKEN_RULES,
  { kind: 'email', name: 'e-mail address', anchors: ['@'], before: 'any', find: mailbox },
  ...HOME_RULES,
]

/** Patterns without an anchor. */
export const PATTERNS: readonly Pattern[] = [...KEY_PATTERNS, ...PERSONAL_PATTERNS]
