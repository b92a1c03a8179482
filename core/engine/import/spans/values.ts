import { asText, own } from '../shared/guards.ts'

/** A key as JSON (camelCase) or as the protobuf field is named. */
export function either(value: unknown, camel: string, snake: string): unknown {
  return own(value, camel) ?? own(value, snake)
}

/** [I33] Ids are hex or base64 text and serve to be compared; only zeros means none. */
export function idOf(value: unknown): string | null {
  const id = asText(value)
  return id === null || /^(0+|A+=*)$/.test(id) ? null : id
}

/** Nanoseconds since 1970 as a number: exact enough to order spans and to give milliseconds. */
export function nanos(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,25}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null
}

/** Nanoseconds as milliseconds; null outside the range of a date. */
export function millis(nanoseconds: number | null): number | null {
  const ms = nanoseconds === null ? 0 : Math.floor(nanoseconds / 1e6)
  return ms > 0 && ms < 8.64e15 ? ms : null
}

/** The same from nanoseconds in text form, without rounding to the precision of a number. */
export function exactMillis(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{7,25}$/.test(value)) return millis(nanos(value))
  const ms = Number(value.slice(0, -6))
  return ms > 0 && ms < 8.64e15 ? ms : null
}
