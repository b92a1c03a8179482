const whole = new Intl.NumberFormat('en-US')
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** 2410 → `2,410`. */
export function count(value: number): string {
  return whole.format(value)
}

/** `1 turn`, `2,410 turns`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** A score: whole numbers unchanged, fractions (anti-signals) with one or two decimals. */
export function score(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100)
}

/** Those parts that say something, one after the other. */
export function joined(parts: readonly string[], by: string): string {
  return parts.filter((part) => part !== '').join(by)
}

/** With a capital letter at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** Bytes in the largest unit that keeps the number at or above one. */
export function bytes(value: number): string {
  let rest = value
  let unit = 0
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000
    unit += 1
  }
  const digits = unit === 0 || rest >= 100 ? 0 : 1
  return `${rest.toFixed(digits)} ${UNITS[unit] ?? 'B'}`
}

/** `0.8 ms`, `38 ms`, `1.4 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${Math.round(ms * 10) / 10} ms`
}

/** `2 s left`, `3 min left`; '' when there is next to nothing left to wait for. */
export function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0.5) return ''
  if (seconds < 90) return `${Math.ceil(seconds)} s left`
  return `${Math.ceil(seconds / 60)} min left`
}

/** Time of day of epoch milliseconds; '' when unknown (0 or null). */
export function timeOf(at: number | null, seconds = false): string {
  if (!at) return ''
  return (seconds ? clockWithSeconds : clock).format(at)
}

export function dayOf(at: number | null): string {
  return at ? day.format(at) : ''
}

/** Time since `at`, in the largest meaningful unit. */
export function ago(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((now - at) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  if (hours < 24) return `${hours} h ago`
  return dayOf(at)
}
