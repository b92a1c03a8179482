import { createOnnxWriter, MICROSOFT, type OnnxWriter } from './onnx-writer.ts'
import type { QuantizedWeight } from './weights.ts'

const HIDDEN = 384
const HEADS = 12
const LAYERS = 6
const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert/'
/** Names that the exporter lost. */
const TOKENS = 'unknown'
const POSITIONS = 'unknown_0'
const KINDS = 'unknown_1'
const EPSILON = { epsilon: { float: 1e-12 } }

type Weights = ReadonlyMap<string, QuantizedWeight>

interface Build {
  readonly writer: OnnxWriter
  readonly weight: (name: string) => QuantizedWeight
}

/**
 * all-MiniLM-L6-v2 as an ONNX model: token ids in, one vector a token out. Weights stay the bytes that
 * were shipped; the runtime expands them to float32 once, when it loads. Arithmetic on bytes would be
 * faster, but rounds each batch by its own range: a text's vector would depend on the texts beside it.
 */
export function minilmModel(weights: Weights): Buffer {
  const writer = createOnnxWriter('all-MiniLM-L6-v2')
  const weight = (name: string) => {
    const found = weights.get(name) ?? weights.get(`${BERT}${name}`)
    if (found === undefined) throw new Error(`no weight ${name}`)
    return found
  }
  const build = { writer, weight }
  writer.node('Cast', ['attention_mask'], 'mask', { attributes: { to: { int: 6 } } })
  let tokens = embeddings(build)
  for (let index = 0; index < LAYERS; index += 1) {
    tokens = layer(build, index, tokens, index === LAYERS - 1 ? 'last_hidden_state' : `x${index}`)
  }
  const dims = ['batch', 'tokens'] as const
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
    name,
    element: 'int64' as const,
    dims,
  }))
  const outputs = [{ name: tokens, element: 'float' as const, dims: [...dims, HIDDEN] }]
  return writer.write({ inputs, outputs })
}

/** The byte that means zero. */
function zeroOf({ min, scale }: QuantizedWeight): number {
  const zero = Math.round(-min / scale)
  if (Math.abs(zero * scale + min) > scale / 1000) throw new Error('a weight has no exact zero')
  return zero
}

function expand({ bytes, min, scale }: QuantizedWeight): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale + min)
}

function vector({ writer, weight }: Build, name: string, path: string): string {
  const data = expand(weight(path))
  return writer.constant(name, 'float', [data.length], data)
}

/** Rows of a table by index, expanded after they were picked: the table stays bytes in memory. */
function lookUp({ writer, weight }: Build, path: string, ids: string, name: string): string {
  const table = weight(path)
  writer.constant(`${name}_table`, 'uint8', table.shape, table.bytes)
  writer.constant(`${name}_scale`, 'float', [], Float32Array.of(table.scale))
  writer.constant(`${name}_zero`, 'uint8', [], Uint8Array.of(zeroOf(table)))
  writer.node('Gather', [`${name}_table`, ids], `${name}_rows`)
  return writer.node(
    'DequantizeLinear',
    [`${name}_rows`, `${name}_scale`, `${name}_zero`],
    `${name}_values`,
  )
}

function embeddings(build: Build): string {
  const { writer, weight } = build
  writer.constant('zero', 'int64', [], BigInt64Array.of(0n))
  writer.constant('one', 'int64', [], BigInt64Array.of(1n))
  writer.node('Shape', ['input_ids'], 'input_shape')
  writer.node('Gather', ['input_shape', 'one'], 'length')
  writer.node('Range', ['zero', 'length', 'one'], 'places')
  const tokens = lookUp(build, TOKENS, 'input_ids', 'token')
  const places = lookUp(build, POSITIONS, 'places', 'position')
  const kinds = weight(KINDS)
  writer.constant('kind_table', 'float', kinds.shape, expand(kinds))
  writer.node('Gather', ['kind_table', 'token_type_ids'], 'kind_values')
  writer.node('Add', [tokens, places], 'placed')
  writer.node('Add', ['placed', 'kind_values'], 'embedded')
  const gamma = vector(build, 'embed_gamma', 'embeddings/LayerNorm/batchnorm/mul/ReadVariableOp')
  const beta = vector(build, 'embed_beta', 'embeddings/LayerNorm/batchnorm/ReadVariableOp')
  return writer.node('LayerNormalization', ['embedded', gamma, beta], 'x', {
    attributes: { axis: { int: -1 }, ...EPSILON },
  })
}

/** Weights of one linear step; several of the same height are placed side by side. */
function dense({ writer, weight }: Build, name: string, paths: readonly string[]): string {
  const parts = paths.map((path) => weight(`${path}/Tensordot/ReadVariableOp`))
  const rows = parts[0]?.shape[0] ?? 0
  const widths = parts.map((part) => part.shape[1] ?? 0)
  const columns = widths.reduce((sum, width) => sum + width, 0)
  const bytes = new Uint8Array(rows * columns)
  const scales = new Float32Array(columns)
  const zeros = new Uint8Array(columns)
  let at = 0
  parts.forEach((part, index) => {
    const width = widths[index] ?? 0
    for (let row = 0; row < rows; row += 1) {
      bytes.set(part.bytes.subarray(row * width, (row + 1) * width), row * columns + at)
    }
    scales.fill(part.scale, at, at + width)
    zeros.fill(zeroOf(part), at, at + width)
    at += width
  })
  writer.constant(`${name}_bytes`, 'uint8', [rows, columns], bytes)
  writer.constant(`${name}_scale`, 'float', [columns], scales)
  writer.constant(`${name}_zero`, 'uint8', [columns], zeros)
  return writer.node(
    'DequantizeLinear',
    [`${name}_bytes`, `${name}_scale`, `${name}_zero`],
    `${name}_weights`,
    { attributes: { axis: { int: 1 } } },
  )
}

/** input × weights + bias. */
function linear(build: Build, input: string, name: string, paths: readonly string[]): string {
  const { writer, weight } = build
  const weights = dense(build, name, paths)
  const bias = paths.flatMap((path) => [...expand(weight(`${path}/BiasAdd/ReadVariableOp`))])
  writer.constant(`${name}_bias`, 'float', [bias.length], Float32Array.from(bias))
  writer.node('MatMul', [input, weights], `${name}_product`)
  return writer.node('Add', [`${name}_product`, `${name}_bias`], name)
}

function norm(build: Build, sum: readonly [string, string], path: string, output: string): string {
  const gamma = vector(build, `${output}_gamma`, `${path}/batchnorm/mul/ReadVariableOp`)
  const beta = vector(build, `${output}_beta`, `${path}/batchnorm/ReadVariableOp`)
  return build.writer.node('SkipLayerNormalization', [...sum, gamma, beta], output, {
    attributes: EPSILON,
    domain: MICROSOFT,
  })
}

function layer(build: Build, index: number, input: string, output: string): string {
  const { writer } = build
  const path = `encoder/layer_._${index}/`
  const name = (part: string) => `layer${index}_${part}`
  const attention = ['query', 'key', 'value'].map((part) =>
    linear(build, input, name(part), [`${path}attention/self/${part}`]),
  )
  writer.node('MultiHeadAttention', [...attention, '', 'mask'], name('attention'), {
    attributes: { num_heads: { int: HEADS } },
    domain: MICROSOFT,
  })
  const mixed = linear(build, name('attention'), name('mixed'), [`${path}attention/output/dense`])
  const attended = norm(
    build,
    [mixed, input],
    `${path}attention/output/LayerNorm`,
    name('attended'),
  )
  const wide = linear(build, attended, name('wide'), [`${path}intermediate/dense`])
  writer.node('Gelu', [wide], name('active'), { domain: MICROSOFT })
  const narrow = linear(build, name('active'), name('narrow'), [`${path}output/dense`])
  return norm(build, [narrow, attended], `${path}output/LayerNorm`, output)
}
