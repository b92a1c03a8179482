import type { LabState } from '../../stores/lab/store.ts'

type Problems = Pick<LabState, 'problems'>

/** Something keeps the draft from being read or compiled. The bar says what, with its line. */
function hasError({ problems }: Problems): boolean {
  return problems.some(({ severity }) => severity === 'error')
}

/** Text for a failed comparison; null if the bar already shows the reason. */
export function failureWords(state: Problems, what: string): string | null {
  return hasError(state) ? null : what
}

/** The reason that the table shows none of the listed signals. */
export function noSignalWords(state: Problems, listed: number): string {
  if (listed > 0) return 'No signal has these words.'
  if (!hasError(state)) return 'The draft has no signal yet.'
  return 'The draft cannot be read. Its signals are listed when it can.'
}
