/**
 * Compiles the sources of the WebAssembly modules. As a program (`node scripts/kernel/compile.ts`) it writes the
 * modules that are loaded. A test compares its result with the committed modules.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toolPath } from '../packages.ts'

const FOLDER = import.meta.dirname
const HOST = join(FOLDER, '../../core/host')

/** Sources, and the module that each becomes. */
export const KERNELS = {
  'scan.as': join(HOST, 'probe/store/local/kernel/scan-wasm.json'),
  'look.as': join(HOST, 'results/edit/lines/look-wasm.json'),
} as const

type Source = keyof typeof KERNELS

/** The compiler wants the ending .ts, which would put the files before every other checker of types. */
const NAME = 'kernel.ts'
const OPTIONS = [
  '-O3',
  '--converge',
  '--noAssert',
  '--runtime',
  'stub',
  '--enable',
  'simd',
  '--importMemory',
  '--zeroFilledMemory',
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

/** Bytes of the module, as compiled by the installed compiler. Throws if it does not compile. */
export async function compileKernel(source: Source): Promise<Uint8Array> {
  const written: Uint8Array[] = []
  const { main } = await compiler()
  const { error } = await main([NAME, '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (name) => (name === NAME ? readFileSync(join(FOLDER, source), 'utf8') : null),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') written.push(contents)
    },
    listFiles: () => [],
  })
  const [bytes] = written
  if (error !== null || bytes === undefined)
    throw new Error(`${source} does not compile`, { cause: error })
  return bytes
}

/** Text of the file of a module. */
export function moduleText(bytes: Uint8Array): string {
  const base64 =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,88}/gu) ?? []
  const about = `Compiled by scripts/kernel/compile.ts: not edited by hand. ${String(bytes.length)} bytes, base64.`
  return `${JSON.stringify({ about, base64 }, null, 2)}\n`
}

if (import.meta.main) {
  for (const source of ['scan.as', 'look.as'] as const)
    writeFileSync(KERNELS[source], moduleText(await compileKernel(source)))
}
