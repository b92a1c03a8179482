/**
 * Compiles scan.as. As a program (`node core/host/probe/store/kernel/compile.ts`) it writes
 * scan-wasm.ts; the test compares what it returns with what is committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from 'assemblyscript/asc'

const FOLDER = import.meta.dirname
const OPTIONS = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
  ...['--importMemory', '--zeroFilledMemory'],
]

/** Bytes of the module, as the installed compiler makes them. Throws with its messages. */
export async function compileKernel(): Promise<Uint8Array> {
  let bytes: Uint8Array | null = null
  // The compiler wants the ending .ts, which would put the file before every other checker of types.
  const { error, stderr } = await main(['scan.ts', '--outFile', 'scan.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'scan.ts' ? readFileSync(join(FOLDER, 'scan.as'), 'utf8') : null),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') bytes = contents
    },
    listFiles: () => [],
  })
  if (error !== null || bytes === null) throw new Error(stderr.toString())
  return bytes
}

/** Text of scan-wasm.ts for these bytes. */
export function moduleText(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,88}/gu) ?? []
  const body = lines.map((line) => `  '${line}',`).join('\n')
  return `/** Compiled from scan.as by compile.ts: not edited by hand. ${String(bytes.length)} bytes, base64. */
export const SCAN_WASM = [
${body}
].join('')
`
}

if (import.meta.main) {
  writeFileSync(join(FOLDER, 'scan-wasm.ts'), moduleText(await compileKernel()))
}
