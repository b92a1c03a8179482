// Small Node modules, limited to the functions that the host uses. Operations that a page cannot do fail like a missing
// program or file, which the host can report.

// node:os
export const homedir = () => '/home'
export const hostname = () => 'page'
export const tmpdir = () => '/tmp'
/** All threads of a page are one: none could help another. */
export const availableParallelism = () => 1

// node:url
export const pathToFileURL = (path: string) => new URL(`file://${path}`)
export const fileURLToPath = (url: string | URL) => new URL(url).pathname

// node:util
export const styleText = (_style: string, text: string) => text
export const promisify =
  (work: (...given: never[]) => unknown) =>
  (...given: never[]) =>
    Promise.resolve().then(() => work(...given))
export const stripVTControlCharacters = (text: string) => text

// node:vm. A page has no timer that could stop a regular expression. The host runs in a worker, so the page stays
// usable in any case.
export const createContext = <T>(box: T): T => box
export class Script {
  runInContext(box: { readonly job: (() => unknown) | null }): unknown {
    return box.job?.()
  }
}

// node:child_process
export function execFile(
  _file: string,
  _args: readonly string[],
  _options: object,
  done: (error: Error, stdout: string, stderr: string) => void,
): void {
  queueMicrotask(() => done(new Error('there are no programs in a page'), '', ''))
}

// node:stream, node:stream/promises, node:zlib: archives are opened before they come into the page.
const absent = (what: string) => () => {
  throw new Error(`${what} is not in this page`)
}
export const Readable = absent('reading archives')
/** Constructed where archives are read. */
export function Transform(): void {
  absent('reading archives')()
}
export const pipeline = absent('reading archives')
export const crc32 = absent('reading archives')
export const createInflateRaw = absent('reading archives')
export const createZstdDecompress = absent('reading archives')
export const gunzipSync = absent('reading Parquet')
export const brotliDecompressSync = absent('reading Parquet')
export const zstdDecompressSync = absent('reading Parquet')
export const inflateRaw = absent('reading another page')
export const deflateRawSync = absent('making another page')
