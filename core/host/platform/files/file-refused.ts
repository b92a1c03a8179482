/** A file that is not opened. Has a `code` like an error of the system, so that callers handle both alike. */
export class FileRefused extends Error {
  readonly syscall = 'open'
  readonly code: string
  readonly advice: string

  constructor(code: string, what: string, advice: string) {
    super(what)
    this.code = code
    this.advice = advice
  }
}
