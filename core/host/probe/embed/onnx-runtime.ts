import { existsSync, readFileSync } from '../../platform/files/fenced-fs.ts'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of a transformers.js tensor that is used here. */
export interface Tensor {
  readonly dims: readonly number[]
  readonly data: Float32Array
}
export type Tokenizer = ((
  text: string,
  options: { readonly return_tensor: false; readonly add_special_tokens: boolean },
) => { readonly input_ids: readonly number[] }) & {
  readonly model_max_length?: number
  readonly pad_token_id?: number | null
}
export type Model = ((
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, Tensor | undefined>>>) & {
  readonly config: Readonly<Record<string, unknown>>
  dispose(): Promise<unknown>
}
interface Loading {
  readonly local_files_only: true
  readonly [option: string]: unknown
}

/** The part of transformers.js that is used here. */
interface Transformers {
  readonly env: Record<string, unknown>
  readonly AutoTokenizer: { from_pretrained(folder: string, options: Loading): Promise<Tokenizer> }
  readonly AutoModel: { from_pretrained(folder: string, options: Loading): Promise<Model> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

/** The library and what runs the models for it. */
export interface OnnxRuntime {
  readonly transformers: Transformers
  /** Native code, or WebAssembly if no native code exists for this system. */
  readonly kind: 'native' | 'wasm'
}

/** The library takes a runtime from here instead of looking for its own. */
const RUNTIME = Symbol.for('onnxruntime')
let loaded: Promise<OnnxRuntime> | null = null

/**
 * [D21] Loads the library once per process, with network access disabled: only local files are read.
 * @param folder has the runtimes in its `node_modules/`; rejects if they are missing
 */
export function loadOnnxRuntime(folder: string): Promise<OnnxRuntime> {
  // Checked each time, because missing files may be installed later.
  if (!existsSync(join(folder, 'node_modules'))) return Promise.reject(new Error(MISSING))
  loaded ??= load(folder)
  return loaded
}

async function load(folder: string): Promise<OnnxRuntime> {
  const packages = createRequire(join(folder, 'index.js'))
  const native = nativeRuntime(packages)
  Object.assign(globalThis, { [RUNTIME]: native ?? wasmRuntime(packages) })
  // Its own types need those of a browser; this is the part that is used.
  const transformers = (await import('@huggingface/transformers')) as unknown as Transformers
  Object.assign(transformers.env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    useFSCache: false,
    useBrowserCache: false,
    useWasmCache: false,
  })
  return { transformers, kind: native === null ? 'wasm' : 'native' }
}

/** [F130] */
const MISSING = 'its runtime is not installed: from source, run npm run build'

function nativeRuntime(packages: NodeJS.Require): unknown {
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  try {
    return packages('onnxruntime-node')
  } catch {
    // No binary for this system, or one that it cannot load.
    return null
  }
}

interface WebRuntime {
  readonly env: { readonly wasm: Record<string, unknown> }
}

/** [D21] The same models in WebAssembly, from files: without these paths the library would ask a CDN. */
function wasmRuntime(packages: NodeJS.Require): WebRuntime {
  const entry = packages.resolve('onnxruntime-web')
  // The package's own types are those of a browser.
  const runtime = packages('onnxruntime-web') as WebRuntime
  const file = (name: string) => join(dirname(entry), name)
  Object.assign(runtime.env.wasm, {
    wasmPaths: { mjs: pathToFileURL(file('ort-wasm-simd-threaded.mjs')).href },
    wasmBinary: readFileSync(file('ort-wasm-simd-threaded.wasm')),
    numThreads: 1,
  })
  skipNative(packages)
  return runtime
}

/** The library requires the native runtime even if a different one is configured. It gets an empty module. */
function skipNative(packages: NodeJS.Require): void {
  try {
    const path = packages.resolve('onnxruntime-node')
    packages.cache[path] = Object.assign(new Module(path), { exports: {}, loaded: true })
  } catch {
    // Not installed: the packaged library does not ask.
  }
}
