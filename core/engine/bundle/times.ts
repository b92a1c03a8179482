/** Milliseconds of an ISO time. A missing or unusable time comes before all others. */
export function timeOf(timestamp: string | null | undefined): number {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN
  return Number.isFinite(at) ? at : -8.64e15
}

/** [A3] Whether a record is from after `until`; one without a time is not. */
export function isLater(timestamp: string | null | undefined, until: string | null): boolean {
  return until !== null && timeOf(timestamp) > timeOf(until)
}
