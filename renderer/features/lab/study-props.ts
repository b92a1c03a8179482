import type { Behind } from './behind.tsx'

/** What every study of the lab gets. */
export interface StudyProps {
  /** Shows the turns behind a number. */
  readonly onBehind: (behind: Behind) => void
}
