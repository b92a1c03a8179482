/** Whoever waits for an answer: until when, and whom to tell how far it is. */
export interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}
