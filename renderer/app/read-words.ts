/** [U61] Whether a file without unreadable lines was read: not before its end has been. */
export function readWords(isComplete: boolean, isGrowing: boolean): string {
  if (isComplete) return 'every line read'
  return isGrowing ? 'reading the rest …' : 'not all of it was read'
}
