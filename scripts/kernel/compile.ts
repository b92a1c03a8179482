/**
 * Compiles scan.as, the source of the store's scan kernel. As a program (`node scripts/kernel/compile.ts`)
 * it writes the module that the store loads; a test compares what it returns with what is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toolPath } from '../packages.ts'

const FOLDER = import.meta.dirname
export const KERNEL = join(FOLDER, '../../core/host/probe/store/local/kernel/scan-wasm.json')
const OPTIONS = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
  ...['--importMemory', '--zeroFilledMemory'],
]

/** The part of the compiler's API that is used here. */
interface Compiler {
  readonly main: (
    options: readonly string[],
    files: {
      readonly readFile: (name: string) => string | null
      readonly writeFile: (name: string, contents: string | Uint8Array) => void
      readonly listFiles: () => readonly string[]
    },
  ) => Promise<{ readonly error: Error | null }>
}

/** [F128] The compiler is one of the packages that tests load. */
async function compiler(): Promise<Compiler> {
  // Not imported by its name: its types change Array, Map and others for everybody.
  const url = pathToFileURL(toolPath('assemblyscript/dist/asc.js')).href
  return (await import(/* @vite-ignore */ url)) as Compiler
}

/** Bytes of the module, as the installed compiler makes them. Throws where it does not compile. */
export async function compileKernel(): Promise<Uint8Array> {
  const written: Uint8Array[] = []
  const { main } = await compiler()
  // The compiler wants the ending .ts, which would put the file before every other checker of types.
  const { error } = await main(['scan.ts', '--outFile', 'scan.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'scan.ts' ? readFileSync(join(FOLDER, 'scan.as'), 'utf8') : null),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') written.push(contents)
    },
    listFiles: () => [],
  })
  const [bytes] = written
  if (error !== null || bytes === undefined)
    throw new Error('scan.as does not compile', { cause: error })
  return bytes
}

/** Text of scan-wasm.json for these bytes. */
export function moduleText(bytes: Uint8Array): string {
  const base64 =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,88}/gu) ?? []
  const about = `Compiled by scripts/kernel/compile.ts: not edited by hand. ${String(bytes.length)} bytes, base64.`
  return `${JSON.stringify({ about, base64 }, null, 2)}\n`
}

if (import.meta.main) {
  writeFileSync(KERNEL, moduleText(await compileKernel()))
}
