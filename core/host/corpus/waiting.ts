/** A caller that waits for an answer: its abort signal and its progress callback. */
export interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}
