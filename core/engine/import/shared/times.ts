const LAST_MS = 8.64e15
/** Seconds of the year 2286; a larger number is milliseconds. */
const SECONDS_BELOW = 1e10
/** Milliseconds of the year 5138; a larger number is microseconds, then nanoseconds. */
const MILLISECONDS_BELOW = 1e14
const MICROSECONDS_BELOW = 1e17

/** Epoch milliseconds of an epoch number, whose size shows its unit (I210); null if it is no time. */
export function epochNumber(value: number): number | null {
  const ms = value * perMillisecond(value)
  return Number.isFinite(ms) && ms > 0 && ms < LAST_MS ? Math.round(ms) : null
}

function perMillisecond(value: number): number {
  if (value < SECONDS_BELOW) return 1000
  if (value < MILLISECONDS_BELOW) return 1
  return value < MICROSECONDS_BELOW ? 1e-3 : 1e-6
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

const MONTH = String.raw`(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?`
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?\s?(?<half>[ap]m)?`
const ZONE = String.raw`(?:\s?(?<zone>[+-]\d\d:?\d\d|gmt|utc?|z)(?:\s\([^)]{1,30}\))?)?`

/** Times in words and digits. Each match takes time linear in the text, which is short. */
const FORMS: readonly RegExp[] = [
  // 2026-01-31
  /^(?<year>\d{4})-(?<number>\d\d)-(?<day>\d\d)$/u,
  // 2026-01-31@08h05m09s, 2026-01-31 @08h 05m 09s 123ms
  /^(?<year>\d{4})-(?<number>\d{1,2})-(?<day>\d{1,2})\s?@(?<hour>\d{1,2})h\s?(?<minute>\d{1,2})m\s?(?<second>\d{1,2})s(?:\s?(?<ms>\d{1,3})ms)?$/u,
  // Sat, 31 Jan 2026 08:05:09 +0000 (RFC 2822)
  new RegExp(
    String.raw`^(?:[a-z]{3},?\s)?(?<day>\d{1,2})\s${MONTH}\s(?<year>\d{4})(?:\s${CLOCK})?${ZONE}$`,
    'iu',
  ),
  // January 31, 2026 8:05am
  new RegExp(
    String.raw`^(?:[a-z]{3,9},?\s)?${MONTH}\s(?<day>\d{1,2}),?\s(?<year>\d{4})(?:,?\s${CLOCK})?${ZONE}$`,
    'iu',
  ),
]

const DIGITS = /^\d{9,20}(?:\.\d{1,9})?$/u

/**
 * [I210] Epoch milliseconds of a time as text that is not an ISO time: an epoch number, a date, RFC 2822, or
 * a date in English. Without a zone it is UTC; null if the text is none of these.
 */
export function epochText(value: string): number | null {
  if (DIGITS.test(value)) return epochNumber(Number(value))
  for (const form of FORMS) {
    const groups = form.exec(value)?.groups
    if (groups !== undefined) return timeOf(groups)
  }
  return null
}

type Groups = Readonly<Record<string, string | undefined>>

function timeOf(groups: Groups): number | null {
  const number = (name: string): number => Number(groups[name] ?? 0)
  const month =
    groups['month'] === undefined
      ? number('number') - 1
      : MONTHS.indexOf(groups['month'].toLowerCase())
  const day = number('day')
  const minute = number('minute')
  const second = number('second')
  const hour = hourOf(number('hour'), groups['half']?.toLowerCase())
  const isValid = month >= 0 && month < 12 && day >= 1 && hour < 24 && minute < 60 && second < 61
  if (!isValid) return null
  const date = new Date(Date.UTC(number('year'), month, day))
  // A day that the month does not have would become one of the next month.
  if (date.getUTCDate() !== day) return null
  const ms = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + number('ms')
  return ms - offsetOf(groups['zone'])
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 24
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/u.exec(zone ?? '') ?? []
  if (sign === undefined) return 0
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -ms : ms
}
