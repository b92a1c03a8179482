import type { BatchProgress } from '../../host/batch/options.ts'

/**
 * [F116] What a batch says of how far it is. Of rows the total is an estimate, and 0 where nobody knows it: then no share
 * and no time is said.
 */
export function progressText({ stage, done, total }: BatchProgress, seconds: number): string {
  const share = `${Math.floor(100 * Math.min(1, done / Math.max(1, total)))} %`
  if (stage === 'dividing') return `dividing by session ${share}`
  const speed = `${Math.round(done / Math.max(1e-3, seconds))} rows a second`
  if (total === 0) return `classifying, ${speed}`
  const left = (seconds * Math.max(0, total - done)) / Math.max(1, done)
  return `classifying ${share}, ${speed}, about ${Math.ceil(left)} s left`
}
