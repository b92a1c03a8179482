import type { RedactionKind } from './redaction.ts'

/** [R21] Returns the note in a redacted export: the kinds it was searched for, and that no search finds everything. */
export function redactionNote(kinds: readonly RedactionKind[]): string {
  const searched = kinds.length === 0 ? 'no kind' : kinds.join(', ')
  return `searched for ${searched}; detection cannot be complete, so read the file before you share it`
}
