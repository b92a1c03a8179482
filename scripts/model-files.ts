import { RUNTIME_FILES } from '../core/host/probe/embed/model-parts.ts'
import { SOURCE_FILES, SOURCE_PACKAGE } from './model/weights.ts'

/** A system as ONNX Runtime has a binary for it, in Node's names: `linux-x64`, `darwin-arm64`. */
export function systemName(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  return `${platform}-${arch}`
}

/**
 * Files and folders below `node_modules` that the build, the application and the desktop package read. Of 474 MB they are 82
 * on Linux x64: the rest is for other systems, for graphics cards and browsers, or other files of the package with the weights.
 */
export function keptModelFiles(systems: readonly string[]): readonly string[] {
  const sources = Object.values(SOURCE_FILES).map(({ path }) => path)
  return [
    ...['package.json', ...sources].map((path) => `${SOURCE_PACKAGE}/${path}`),
    ...['package.json', 'dist'].map((path) => `onnxruntime-node/${path}`),
    // Some systems have no native runtime; WebAssembly runs there (D21).
    ...systems.map((system) => `onnxruntime-node/bin/napi-v6/${system.replace('-', '/')}`),
    ...RUNTIME_FILES,
    ...['package.json', 'dist/cjs'].map(
      (path) => `onnxruntime-web/node_modules/onnxruntime-common/${path}`,
    ),
  ]
}

/** electron-builder's options for systems and architectures, in Node's names. */
const PLATFORMS: Readonly<Record<string, string>> = {
  '--linux': 'linux',
  '-l': 'linux',
  '--win': 'win32',
  '--windows': 'win32',
  '-w': 'win32',
  '--mac': 'darwin',
  '--macos': 'darwin',
  '-m': 'darwin',
  '-o': 'darwin',
}
const ARCHS: Readonly<Record<string, readonly string[]>> = {
  '--x64': ['x64'],
  '--arm64': ['arm64'],
  '--universal': ['x64', 'arm64'],
}

/** `-mw` is `-m -w`. */
const singly = (arg: string): readonly string[] =>
  /^-[a-z]+$/u.test(arg) ? Array.from(arg.slice(1), (letter) => `-${letter}`) : [arg]

/** The systems for which a call of electron-builder creates packages; this system if it names none. */
export function systemsOf(args: readonly string[]): readonly string[] {
  const platforms = args.flatMap(singly).flatMap((each) => PLATFORMS[each] ?? [])
  const archs = args.flatMap((each) => ARCHS[each] ?? [])
  return (platforms.length > 0 ? platforms : [process.platform]).flatMap((platform) =>
    (archs.length > 0 ? archs : [process.arch]).map((arch) => systemName(platform, arch)),
  )
}
