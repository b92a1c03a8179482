/**
 * Counts the characters that the scanner looks at, so that a test can show that the work is
 * proportional to the text on any input, without a clock.
 */
export interface Meter {
  steps: number
}

/** `text.indexOf(needle, from)` that counts its way. */
export function find(text: string, needle: string, from: number, meter: Meter): number {
  const at = text.indexOf(needle, from)
  meter.steps += 1 + (at < 0 ? Math.max(0, text.length - from) : at - from)
  return at
}
