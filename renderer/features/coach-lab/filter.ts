import type { OutputType } from '../../../core/engine/schema/coach.ts'
import type { LabRow } from './state.ts'

/** Which rows are listed. */
export type Filter =
  | { readonly kind: 'changed' | 'wrong' | 'all' | 'harmful' }
  | { readonly kind: 'cell'; readonly label: OutputType; readonly verdict: OutputType }

/** A reject that was passed, or a question that was continued. */
export const isHarmful = ({ label, after }: LabRow) =>
  (label === 'status' && after.type !== 'status') ||
  (label === 'question' && after.type === 'status')

/** Whether a filter lists a row. */
export function shows(filter: Filter, row: LabRow): boolean {
  switch (filter.kind) {
    case 'all':
      return true
    case 'changed':
      return row.before !== null && row.before.type !== row.after.type
    case 'wrong':
      return row.label !== null && row.label !== row.after.type
    case 'harmful':
      return isHarmful(row)
    case 'cell':
      return row.label === filter.label && row.after.type === filter.verdict
  }
}
