/** Mac keyboards have ⌘ where others have Ctrl. */
export const isMac =
  typeof navigator !== 'undefined' && /Mac|iP(?:hone|ad)/u.test(navigator.userAgent)
