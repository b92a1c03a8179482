import type { Rule } from './rule.ts'
import { isPassword, isRandom } from './secret-like.ts'

const NAMES =
  '(?:api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|passw(?:or)?d|passphrase|pwd|(?:access|private|auth|account|encryption|signing|master|storage)[_-]?key|token|credentials?)'
/** `SECRET_KEY_BASE`, `TOKEN_PROD`; but not `token_count`, `secret_name`: those are no secrets. */
const SUFFIX =
  '(?:[_-](?!(?:name|id|ids|type|types|count|counts|limit|path|file|url|uri|ref|arn|version|ttl|hash|header|prefix|field|at|expir[a-z]{0,8})(?![a-z]))[a-z0-9]{1,16}){0,2}'
const QUOTE = String.raw`\\{0,8}["']`
/** White space, also as JSON and nested JSON write it. */
const BLANK = String.raw`(?:\s|\\{1,8}[nrt])`
/** A colour of the terminal, as it is or as a text writes it. */
export const COLOUR = String.raw`(?:(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]|033|e))\[[0-9;]{0,12}m)`
/** A shell line that continues on the next one. */
const GOES_ON = String.raw`(?:\\{1,16}(?:\r?\n|n)[ \t]{0,16})`
/** `=`, `: "`, `=>`, ` | `, YAML's `: >-` with its line end. */
const SIGN = `${COLOUR}{0,2}${BLANK}{0,4}(?:=>|:=|[:=|])${BLANK}{0,4}(?:[>|][+-]?${BLANK}{1,12})?${GOES_ON}?${COLOUR}{0,2}`
/** `<name>value`, `key="name" value="…"`, `{"name": "NAME", "value": "…"}`, `--token value`. */
const OTHER = `>|${BLANK}{0,12}(?:,${BLANK}{0,12})?(?:${QUOTE})?value(?:${QUOTE})?\\s{0,4}[:=]\\s{0,4}|[ ]{1,2}${GOES_ON}?`

/** `api_key = "…"`, `"password": "…"` (quotes may be escaped), `--token …`, `SECRET=…`. */
const ASSIGNMENT = new RegExp(
  String.raw`${NAMES}${SUFFIX}(?<q1>${QUOTE})?(?<sep>${SIGN}|${OTHER})(?:(?<q2>\\{0,8}["'\u0060])(?<quoted>[^\s"'\u0060\\<>[\]{}()\x1b]{8,4096})|(?<plain>[^\s"'\u0060\\,;:=(){}<>[\]&|\x1b]{8,4096}={0,2}))`,
  'iuy',
)

function isAssigned(match: RegExpExecArray, text: string): boolean {
  const { q1, sep = '', quoted, plain = '' } = match.groups ?? {}
  // A JSON number or word must stay one.
  if (q1 !== undefined && quoted === undefined) return false
  const isFlag = !/[:=>|]/u.test(sep)
  if (isFlag && !isOption(text, match.index)) return false
  const value = quoted ?? plain
  // The quote ended a text of JSON: what follows are its next items.
  if (quoted !== undefined && /^[,:]/u.test(quoted)) return false
  if (!/^(?:pass|pwd)/iu.test(match[0])) return isRandom(value)
  // `password: something1` may be a sentence; with quotes, `=`, as an option or in `db_password` it is a value.
  const isCompound = /[_-]/u.test(text.charAt(match.index - 1))
  const isValue = [quoted !== undefined, isFlag, isCompound, /[=>|]/u.test(sep)].some(Boolean)
  return isValue ? isPassword(value) : isRandom(value)
}

/** Whether the word at this place is one like `--db-password`. */
function isOption(text: string, at: number): boolean {
  return /--[\w-]{0,40}$/u.test(text.slice(Math.max(0, at - 42), at))
}

/** [R1] [F31] A value assigned to a name such as api_key, secret, password or token, in any notation. */
export const ASSIGNED: Rule = {
  kind: 'key',
  name: 'assigned secret',
  anchors: [
    'api_key',
    'api-key',
    'apikey',
    'secret',
    'passw',
    'passphrase',
    'pwd',
    'token',
    'access_key',
    'access-key',
    'accesskey',
    'private_key',
    'privatekey',
    'auth_key',
    'authkey',
    'account_key',
    'accountkey',
    'encryption_key',
    'signing_key',
    'credential',
    'master_key',
    'masterkey',
    'storage_key',
    'storagekey',
  ],
  anyCase: true,
  before: 'any',
  shape: ASSIGNMENT,
  lookAgain: true,
  accept: isAssigned,
}
