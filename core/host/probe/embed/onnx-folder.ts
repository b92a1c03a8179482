import { createHash } from 'node:crypto'
import { stat } from '../../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { byteChunks } from '../../platform/files/byte-input.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'

/** A model on disk that can be loaded. */
export interface OnnxFolder {
  readonly path: string
  /** Which file of `onnx/` is taken, in the words of transformers.js. */
  readonly dtype: 'fp32' | 'q8' | 'fp16'
  readonly modelFile: string
  /** Tokens that the model reads; null = as its tokenizer says. */
  readonly limit: number | null
  /** Method that combines the vectors of the tokens into one. */
  readonly pooling: 'mean' | 'first'
}

/** The exact weights first: arithmetic on bytes makes a vector depend on the texts beside it. */
const MODEL_FILES = [
  { file: 'onnx/model.onnx', dtype: 'fp32' },
  { file: 'onnx/model_quantized.onnx', dtype: 'q8' },
  { file: 'onnx/model_fp16.onnx', dtype: 'fp16' },
] as const

const Config = z.object({
  model_type: z.string(),
  max_position_embeddings: z.int().min(2).optional(),
})
const TokenizerFile = z.object({ model: z.object({}) })
const Limit = z.object({ max_seq_length: z.int().min(2).nullable().optional() })
const Pooling = z.object({
  pooling_mode_mean_tokens: z.boolean().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
})

/**
 * [D24] Looks through a folder as transformers.js lays it out: `config.json`, `tokenizer.json`,
 * `tokenizer_config.json`, `onnx/model.onnx` (or `model_quantized.onnx`, `model_fp16.onnx`), and where
 * they are there `sentence_bert_config.json` (limit) and `1_Pooling/config.json`. Says which is missing or damaged.
 */
export async function readOnnxFolder(path: string): Promise<Result<OnnxFolder>> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) {
    return err({
      what: 'there is no such folder',
      where: path,
      do: 'Choose the folder of the model',
    })
  }
  const config = await readPart(path, 'config.json', Config)
  if (!config.ok) return config
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
    const part = await readPart(
      path,
      name,
      name === 'tokenizer.json' ? TokenizerFile : z.object({}),
    )
    if (!part.ok) return part
  }
  const found = await modelFile(path)
  if (found === null) {
    const what = `the folder holds no ONNX model (${MODEL_FILES.map(({ file }) => file).join(', ')})`
    return err({ what, where: path, do: 'Choose a folder with an ONNX export of the model' })
  }
  const limit = await optionalPart(path, 'sentence_bert_config.json', Limit)
  if (!limit.ok) return limit
  const pooling = await poolingOf(path)
  if (!pooling.ok) return pooling
  return ok({
    path,
    dtype: found.dtype,
    modelFile: found.file,
    limit: limit.value?.max_seq_length ?? config.value.max_position_embeddings ?? null,
    pooling: pooling.value,
  })
}

/** `name:first 12 of the SHA-256 of weights, tokenizer and pooling`: what decides over the vectors. */
export async function idOfFolder({ path, modelFile, pooling }: OnnxFolder): Promise<string> {
  const hash = createHash('sha256').update(pooling)
  for (const name of [modelFile, 'tokenizer.json']) {
    for await (const chunk of byteChunks(join(path, name))) hash.update(chunk)
  }
  return `${basename(path)}:${hash.digest('hex').slice(0, 12)}`
}

async function modelFile(path: string): Promise<(typeof MODEL_FILES)[number] | null> {
  for (const each of MODEL_FILES) {
    const info = await stat(join(path, each.file)).catch(() => null)
    if (info?.isFile() === true && info.size > 0) return each
  }
  return null
}

async function poolingOf(path: string): Promise<Result<OnnxFolder['pooling']>> {
  const read = await optionalPart(path, '1_Pooling/config.json', Pooling)
  if (!read.ok) return read
  if (read.value === null || read.value.pooling_mode_mean_tokens === true) return ok('mean')
  if (read.value.pooling_mode_cls_token === true) return ok('first')
  const what = 'the model pools its tokens in a way that is not known here'
  return err({
    what,
    where: join(path, '1_Pooling/config.json'),
    do: 'Choose a model with mean or CLS pooling',
  })
}

async function optionalPart<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<Result<T | null>> {
  const isThere = (await stat(join(path, name)).catch(() => null)) !== null
  return isThere ? readPart(path, name, schema) : ok(null)
}

async function readPart<T>(path: string, name: string, schema: z.ZodType<T>): Promise<Result<T>> {
  const where = join(path, name)
  const text = await textIfThere(where)
  if (text === null) return err(broken(`${name} is missing`, where))
  if (!text.ok) return text
  try {
    const parsed = schema.safeParse(JSON.parse(text.value))
    return parsed.success
      ? ok(parsed.data)
      : err(broken(`${name} is not what such a file holds`, where))
  } catch {
    return err(broken(`${name} is damaged: it is no JSON`, where))
  }
}

function broken(what: string, where: string): Problem {
  return { what, where, do: 'Choose the folder of a sentence model as transformers.js reads it' }
}
