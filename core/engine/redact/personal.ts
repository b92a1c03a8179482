import type { Pattern } from './rule.ts'

/** Digits of both signs of a group: `4111 1111 …`, `4111-1111-…`. */
const digitsOf = (value: string) => value.replaceAll(/\D/gu, '')

/** A number of JSON must stay one [R4]; `"phone": 4915…` is left alone. */
function isJsonNumber(value: string, text: string, at: number): boolean {
  if (!/^-?[\d.]+$/u.test(value)) return false
  const behind = /^\s{0,20}(?:[,}\]]|$)/u.test(
    text.slice(at + value.length, at + value.length + 22),
  )
  return behind && /(?:["'][ \t]{0,8}:|[[,])\s{0,20}$/u.test(text.slice(Math.max(0, at - 30), at))
}

/** [F37] The last digit of a card's number proves the others. */
function isLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Visa, Mastercard, American Express, Discover, JCB, Diners, Maestro and UnionPay by their first digits and lengths. */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|(?:62|50|5[6-9]|6\d)\d{10,17})$/u

function isCard(value: string, text: string, at: number): boolean {
  const digits = digitsOf(value)
  const isVaried = new Set(digits).size > 1
  return CARD.test(digits) && isVaried && isLuhn(digits) && !isJsonNumber(value, text, at)
}

/** Units of an IBAN by country, as the registry of SWIFT lists them. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
}

/** [F38] Modulo 97 of the number with its head behind, letters as 10 to 35, digit by digit. */
function isIban(value: string): boolean {
  const plain = value.replaceAll(' ', '').toUpperCase()
  if (IBAN_LENGTHS[plain.slice(0, 2)] !== plain.length) return false
  let rest = 0
  for (const char of plain.slice(4) + plain.slice(0, 4)) {
    const number = Number.parseInt(char, 36)
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97
  }
  return rest === 1
}

/** [F36] With a country's code, or as North America writes it: 8 to 15 digits that are no date and no version. */
function isPhone(value: string, text: string, at: number): boolean {
  const digits = digitsOf(value)
  if (digits.length < 8 || digits.length > 15 || isJsonNumber(value, text, at)) return false
  return new Set(digits).size > 2
}

/** Addresses that say nothing of anybody: this machine, none, all, documentation. */
const NOBODY = /^(?:127\.|0\.|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)/u

/** [F39] Four numbers up to 255; behind a word such as `version` they are one. */
function isV4(value: string, text: string, at: number): boolean {
  const parts = value.split('.')
  if (parts.some((part) => Number(part) > 255 || /^0\d/u.test(part)) || NOBODY.test(value))
    return false
  return !/(?:version|release|build|\bv|==|@|~|\^)[\s:="']{0,3}$/iu.test(
    text.slice(Math.max(0, at - 14), at),
  )
}

/** [F39] Eight groups, or fewer around one `::`; not this machine, and no name of a program (`a::b`). */
function isV6(value: string): boolean {
  const halves = value.split('::')
  if (halves.length > 2 || /^::1?$/u.test(value) || value.includes(':::')) return false
  const groups = value.split(':').filter((part) => part !== '')
  if (groups.some((part) => part.length > 4) || !/\d/u.test(value)) return false
  if (/^2001:0?db8:/iu.test(value)) return false
  if (halves.length === 1) return groups.length === 8
  return groups.length >= 2 && groups.length <= 7 && /^[\da-f]{3,4}:/iu.test(value)
}

/** [F35] Values that identify a person or a machine. They are redacted only if the operator chooses so. */
export const PERSONAL_PATTERNS: readonly Pattern[] = [
  {
    kind: 'card',
    least: 12,
    name: 'card number',
    accept: isCard,
    shape: /(?<![\w.-])\d(?:[ -]?\d){11,18}(?![\w-]|\.\d)/gu,
  },
  {
    kind: 'iban',
    least: 15,
    name: 'IBAN',
    accept: isIban,
    shape:
      /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu,
  },
  {
    kind: 'phone',
    least: 8,
    name: 'phone number',
    accept: isPhone,
    shape:
      /(?<![\w.+-])(?:(?:\+|00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,5}\)?){2,6}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4}|\(?0\d{2,4}\)?[ /-]\d{3,4}[ -]?\d{2,5})(?![\w-]|\.\d)/gu,
  },
  {
    kind: 'ip',
    least: 7,
    name: 'IPv4 address',
    accept: isV4,
    shape: /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/gu,
  },
  {
    kind: 'ip',
    least: 6,
    name: 'IPv6 address',
    accept: isV6,
    shape: /(?<![\w:.])[\da-f]{1,4}(?::[\da-f]{0,4}){2,7}(?![\w:])/giu,
  },
]
