import type { OutputType } from '../../../core/engine/schema/coach.ts'

/** Sign and words of each type; the sign has the shape that the timeline draws. */
export const VERDICT_WORDS: Readonly<
  Record<OutputType, { readonly sign: string; readonly words: string; readonly about: string }>
> = {
  question: { sign: '◆', words: 'question', about: 'asks the person, or waits for a decision' },
  status: { sign: '○', words: 'status', about: 'is not done yet, or shows no proof' },
  completion: { sign: '■', words: 'completion', about: 'says that the work is done' },
  blocker: { sign: '▲', words: 'blocker', about: 'names what stops the work' },
  error: { sign: '✕', words: 'error', about: 'reports a failure that stands' },
}
