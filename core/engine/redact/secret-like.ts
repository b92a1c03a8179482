/** Placeholders in the position of a secret: `YOUR_KEY`, `xxxx`, `process.env.KEY`. */
const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3,}|[$<{%[]|your|my[-_]|some[-_]|an?[-_]|the[-_]|process\.|os\.|env[.:]|import\.|self\.|this\.|config\.|settings\.|none$|null$|undefined$|true$|false$|string$|password\d*$|secret$|token$|change[-_]?me)|example|placeholder|redacted|dummy|x{4}|\*{4}/iu
/** Paths, addresses, dates, dotted names: values that are no secrets. */
const PLAIN =
  /^(?:\.{0,2}\/|~\/|[a-z]:[\\/]|[a-z][a-z+.-]{1,20}:\/\/|\d{4}-\d\d-\d\d|[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80})+$)/iu

const UUID_START = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/iu

/** Whether a value begins with a UUID, which names something and is no secret. */
export function startsWithUuid(value: string): boolean {
  return UUID_START.test(value)
}

/** Whether a value is a UUID. */
export function isUuid(value: string): boolean {
  return value.length === 36 && startsWithUuid(value)
}

/** Shannon entropy in bits a character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / value.length
    bits -= share * Math.log2(share)
  }
  return bits
}

function digitsOf(value: string): number {
  return value.replaceAll(/\D+/gu, '').length
}

/** Letters of both cases and a digit, or a letter and many digits: not a word, not a name. */
export function isMixed(value: string): boolean {
  const digits = digitsOf(value)
  if (digits === 0 || !/[A-Za-z]/u.test(value)) return false
  return digits >= 6 || (/[a-z]/u.test(value) && /[A-Z]/u.test(value))
}

/** [R6] A token behind `Bearer` or `Authorization`: no placeholder, and no word. */
export function isOpaque(value: string): boolean {
  if (PLACEHOLDER.test(value)) return false
  return /\d/u.test(value) ? /[A-Za-z]/u.test(value) : /[a-z][A-Z]|[A-Z]{2}[a-z]/u.test(value)
}

/** [R6] A value assigned to a password: has a letter and a digit or sign, and is not a placeholder. */
export function isPassword(value: string): boolean {
  if (value.length < 8 || PLACEHOLDER.test(value) || PLAIN.test(value)) return false
  return /[A-Za-z]/u.test(value) && /[\d!@#$%^&*+=?~]/u.test(value)
}

/** [R6] A value assigned to a key or token: too random to be a name. */
export function isRandom(value: string): boolean {
  if (value.length < 12 || PLACEHOLDER.test(value) || PLAIN.test(value)) return false
  if (!isMixed(value)) return false
  return entropy(value) >= 2.8
}

/** Both halves of `user:password` in an address; documentation writes `user:password`. */
export function isCredential(value: string): boolean {
  const password = value.slice(value.indexOf(':') + 1)
  if (value.includes(':')) {
    return (
      password.length >= 3 &&
      !/^(?:pass(?:word|wd)?|pw|secret|token|key)$/iu.test(password) &&
      !PLACEHOLDER.test(password)
    )
  }
  return value.length >= 20 && isMixed(value)
}

/** Whether a value is a placeholder for a secret. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}
