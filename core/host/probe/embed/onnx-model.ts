import { availableParallelism } from 'node:os'
import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import { type Result, err } from '../../../engine/result.ts'
import type { OnnxFolder } from './onnx-folder.ts'
import type { Model, OnnxRuntime, Tensor, Tokenizer } from './onnx-runtime.ts'
import { checked } from './engine.ts'

type Rows = ReadonlyArray<readonly number[]>

/** A model in memory. */
export interface OnnxModel {
  embed(texts: readonly string[], signal: AbortSignalLike): Promise<Result<readonly Float32Array[]>>
  close(): Promise<void>
}

/**
 * [D23] Tokens a batch, padding included. Larger ones gain nothing (64 chunks: 4.1 s with 256, 4.0 with
 * 1024, 8.3 with 4096), take more memory and end later when they are cancelled.
 */
const BATCH_TOKENS = 256
/** Characters beyond which a text cannot matter: few words are longer than a hundred tokens' worth. */
const CHARS_PER_TOKEN = 100

/**
 * Loads a checked folder. Throws the library's errors.
 * @param folder the result of `readOnnxFolder`
 */
export async function loadOnnxModel(
  { transformers, kind }: OnnxRuntime,
  folder: OnnxFolder,
): Promise<OnnxModel> {
  const local = { local_files_only: true } as const
  const tokenizer = await transformers.AutoTokenizer.from_pretrained(folder.path, local)
  const model = await transformers.AutoModel.from_pretrained(folder.path, {
    ...local,
    dtype: folder.dtype,
    // The runtime is given by us: the library shall not look for another device.
    device: 'auto',
    session_options: {
      executionProviders: [kind === 'native' ? 'cpu' : 'wasm'],
      intraOpNumThreads: Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))),
      // Weights that are stored as bytes are expanded once, not at every call.
      extra: { session: { disable_quant_qdq: '1' } },
    },
  })
  const limit = Math.min(folder.limit ?? 512, tokenizer.model_max_length ?? 512)
  // Byte arithmetic scales a batch by its common range, so each text forms its own batch.
  const budget = folder.dtype === 'q8' ? 0 : BATCH_TOKENS
  const run = (rows: Rows) => forward(transformers, model, rows, tokenizer.pad_token_id ?? 0)
  return {
    embed: async (texts, signal) => {
      const rows = texts.map((text) => tokensOf(tokenizer, text, limit))
      const vectors = new Array<ArrayLike<number>>(texts.length)
      for (const batch of batchesOf(
        rows.map((row) => row.length),
        budget,
      )) {
        // Lets a cancellation arrive: in WebAssembly nothing else does.
        await new Promise(setImmediate)
        if (signal.aborted) return err(cancelled(folder.path))
        const taken = batch.map((index) => rows[index] ?? [])
        const pooled = pool(await run(taken), taken, folder.pooling)
        batch.forEach((index, place) => {
          vectors[index] = pooled[place] ?? []
        })
      }
      return checked(vectors, { count: texts.length, dimensions: null, where: folder.path })
    },
    close: async () => {
      await model.dispose()
    },
  }
}

/**
 * Token ids of a text, with the model's own markers around it. Tokens beyond the limit are cut before the last marker.
 */
function tokensOf(tokenizer: Tokenizer, text: string, limit: number): readonly number[] {
  const options = { return_tensor: false, add_special_tokens: true } as const
  // [D22] Nothing is asked about half a character.
  const { input_ids: ids } = tokenizer(
    text.slice(0, limit * CHARS_PER_TOKEN).toWellFormed(),
    options,
  )
  const last = ids.at(-1)
  return ids.length <= limit || last === undefined ? ids : [...ids.slice(0, limit - 1), last]
}

/** Runs the model over texts of similar length. Shorter ones are padded and masked. */
async function forward(
  { Tensor }: OnnxRuntime['transformers'],
  model: Model,
  rows: Rows,
  pad: number,
): Promise<Tensor> {
  const width = Math.max(...rows.map((row) => row.length))
  const fill = (of: (row: readonly number[], index: number) => number) => {
    const data = new BigInt64Array(rows.length * width)
    rows.forEach((row, at) => {
      for (let index = 0; index < width; index += 1)
        data[at * width + index] = BigInt(of(row, index))
    })
    return new Tensor('int64', data, [rows.length, width])
  }
  const output = await model({
    input_ids: fill((row, index) => row[index] ?? pad),
    attention_mask: fill((row, index) => (index < row.length ? 1 : 0)),
    token_type_ids: fill(() => 0),
  })
  const found =
    output['sentence_embedding'] ?? output['last_hidden_state'] ?? output['token_embeddings']
  if (found === undefined) throw new Error('the model gives no embeddings')
  return found
}

/** One vector a text: the mean of its tokens, or its first; a model that pools itself is left alone. */
function pool(
  { dims, data }: Tensor,
  rows: Rows,
  pooling: OnnxFolder['pooling'],
): readonly Float32Array[] {
  const [, width = 0, size = 0] = dims
  if (dims.length === 2) return rows.map((_, at) => data.slice(at * width, (at + 1) * width))
  return rows.map((row, at) => {
    const start = at * width * size
    if (pooling === 'first') return data.slice(start, start + size)
    const sum = new Float32Array(size)
    for (let token = 0; token < row.length; token += 1) {
      const from = start + token * size
      for (let place = 0; place < size; place += 1)
        sum[place] = (sum[place] ?? 0) + (data[from + place] ?? 0)
    }
    // Not divided: only the direction is kept.
    return sum
  })
}

function cancelled(where: string) {
  return { what: 'cancelled', where, do: 'Run it again when you want it' }
}

/** Places of some texts that are sent to a model together. */
type Batch = readonly number[]

/**
 * [D23] Puts texts of like length together, longest last, so that little is padded. A batch holds at most
 * `budget` tokens, padding included, and at least one text.
 * @param lengths tokens of each text
 */
export function batchesOf(lengths: readonly number[], budget: number): readonly Batch[] {
  const order = lengths.map((_, index) => index)
  order.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const batches: number[][] = []
  let current: number[] = []
  for (const index of order) {
    // The one that comes is the longest so far: all are padded to it.
    const padded = (current.length + 1) * (lengths[index] ?? 0)
    if (current.length > 0 && padded > budget) {
      batches.push(current)
      current = []
    }
    current.push(index)
  }
  if (current.length > 0) batches.push(current)
  return batches
}
