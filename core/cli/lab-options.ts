import { InvalidArgumentError, type Command } from 'commander'

/** Files that reports are written to. */
export interface ReportOptions {
  readonly junit?: string
  readonly sarif?: string
  readonly json?: boolean
}

/** Adds `--junit` and `--sarif`. */
export function withReports(command: Command): Command {
  return command
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--sarif <file>', 'write the findings as SARIF 2.1.0')
}

/** Several values of one option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function parseShare(text: string): number {
  const share = Number(text)
  if (text.trim() === '' || Number.isNaN(share) || share < 0 || share > 1) {
    throw new InvalidArgumentError('It is a number from 0 to 1.')
  }
  return share
}

export function parseWhole(text: string): number {
  const count = Number(text)
  if (text.trim() === '' || !Number.isInteger(count) || count < 0) {
    throw new InvalidArgumentError('It is a whole number from 0.')
  }
  return count
}

/** `DOMAIN=0.7`, several times. */
export function parseF1(
  text: string,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write it as DOMAIN=0.7.')
  return new Map([...before, [text.slice(0, at), parseShare(text.slice(at + 1))]])
}
