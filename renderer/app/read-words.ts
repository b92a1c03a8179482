/** [U61] Whether a file without unreadable lines was read: not before its end has been. */
export function readWords(isComplete: boolean, isGrowing: boolean): string {
  if (isComplete) return 'every line read'
  return isGrowing ? 'reading the rest …' : 'not all of it was read'
}

/** [U61] Status while no session is open: empty, a file being opened, or a file that could not be opened. */
export function openWords(status: 'idle' | 'loading' | 'failed' | 'ready', name: string): string {
  if (status === 'loading') return `Opening ${name} …`
  if (status === 'failed') return `${name} could not be opened`
  return status === 'ready' ? `${name} holds no session` : 'No session open'
}
