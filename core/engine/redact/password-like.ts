/** Words that occur in place of a password: its type, a requirement, or an error. */
const NO_PASSWORD = new Set(
  `a abc admin/password an and any array at authentication auto bool boolean buffer bytea bytes change changed changeme char
  charfield correct credential credentials current-password default deleted denied disabled does dummy empty enabled encrypted enter error
  expected expired fail failed false field filtered for from hash hashed hidden here if in incorrect info input int integer invalid is
  it key lambda list literal login masked match mismatch missing must nan never new new-password nil no none not null number object
  off ok on optional or ordered our pass passphrase passwd passwort password pattern placeholder please pw random record redacted removed
  required reset schema secret secretstr see set should strength string str strong test text the this to todo token true try tuple
  type undefined unknown unset updated user username valid value varchar void weak what wrong yes your string[] str|none nonempty
  props state ref prompt passed failing pwd request response result ctx self env`
    .split(/\s+/u)
    .filter((word) => word !== ''),
)

/** References and templates in place of a value, calls, paths, and names that say password themselves. */
const NO_VALUE =
  /^\$\{|^\$\(|^\$[A-Za-z_]\w*$|^\$\w+[.:[-]|^%[A-Za-z_]+%|^%[-\d]*[sdvr(]|^\{|^<|^\[[A-Za-z ]*[\]:]|^:[a-z_]|^\?+$|^&|^!(?:secret|vault|ref|sub|env)|^@[A-Za-z.]+[({]|^[a-z][a-z+.-]{1,20}:\/\/|^(?:vault|ssm|secret|env|file|arn|sops|kms):|^ENC\[|^\.{0,2}\/|^~\/|^[A-Z]:\\|^[^\p{L}\p{N}]*$|^(.)\1+$|^\W*(?:x{3,}|redacted|filtered|hidden|masked)|^your|^(?:my|some|the|a|an|any|new|old|enter|insert)[ _-]|(?:change|replace)[ _-]?(?:me|this|it)|placeholder|example|dummy|redacted|^(?:process|os|env|import|self|this|config|settings|req|request|args|opts|options|cfg|params|props|data|form|user|ctx|secrets|e|event|state|body|input|z|yup|joi|t|type)[.[]|pass(?:wd|word|phrase)|^none\b/iu
/** `name(…`, `list[…`, `a.b.c`: an expression, as code writes it. */
const EXPRESSION =
  /^(?:await |new |async )|^[A-Za-z_$][\w$.:]*(?:\(|\[[^\]]*\]?$)|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[A-Za-z_]\w*(?:\[\]|\?)$|=>|^[A-Za-z_]\w*\|/u

/** [R17] Whether nothing about a value says that it is a reference, a word of documentation, or code. */
export function mayBePassword(value: string, isQuoted: boolean): boolean {
  if (value.length < 3 || NO_PASSWORD.has(value.toLowerCase().replaceAll(/[!?.,;:]+$/gu, '')))
    return false
  if (NO_VALUE.test(value)) return false
  return isQuoted || !EXPRESSION.test(value)
}

/** [R17] A letter and a digit or sign, or letters of both cases out of order: nothing that a sentence or code holds. */
export function isStrongPassword(value: string): boolean {
  if (value.length < 5 || /\s/u.test(value) || !/[A-Za-z]/u.test(value)) return false
  if (/^[A-Za-z]+(?:[-_./][A-Za-z]+)*[!?]?$/u.test(value)) return isScrambled(value)
  // `user2_password`, `must-have-8-signs`: a name or words.
  if (/^[a-z]{2,}\d?(?:[-_](?:[a-z]+|\d{1,2}))+$/u.test(value)) return false
  if (/^v?\d+(?:\.\d+)+$|^\d+(?:px|ms|s|m|h|d|kb|mb|gb|st|nd|rd|th)$/iu.test(value)) return false
  return /[\d!#$%&*+=?@^~]/u.test(value)
}

/** Letters of both cases that change more often than those of `camelCase`. */
export function isScrambled(value: string): boolean {
  let changes = 0
  for (let at = 1; at < value.length; at += 1) {
    const a = value.charCodeAt(at - 1)
    const b = value.charCodeAt(at)
    if (a > 64 && b > 64 && (a ^ b) & 32) changes += 1
  }
  return value.length >= 6 && changes >= 3 && changes / (value.length - 1) >= 0.28
}
