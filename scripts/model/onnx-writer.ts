/** An encoded field of a protocol buffer message. */
type Field = Uint8Array

// Field numbers of onnx.proto3 (ONNX IR version 8), by message.
const MODEL = { irVersion: 1, producer: 2, graph: 7, opset: 8 } as const
const OPSET = { domain: 1, version: 2 } as const
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const
const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 } as const
const ATTRIBUTE = { name: 1, float: 2, int: 3, type: 20 } as const
const TENSOR = { dim: 1, type: 2, name: 8, raw: 9 } as const
const VALUE = { name: 1, type: 2 } as const
const TENSOR_TYPE = { elem: 1, shape: 2 } as const
const DIM = { value: 1, parameter: 2 } as const
const ATTRIBUTE_TYPE = { float: 1, int: 2 } as const

const ELEMENT = { float: 1, uint8: 2, int64: 7 } as const
type Element = keyof typeof ELEMENT

/** Operators of the runtime itself: attention and fused normalisation. */
export const MICROSOFT = 'com.microsoft'

/** An attribute of a node. */
type Attribute = { readonly float: number } | { readonly int: number }

interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>
  readonly domain?: string
}

/** Collects a graph and writes it as an ONNX model. Little-endian machines only, as all that Node runs on. */
export interface OnnxWriter {
  /** Adds constant data; returns its name. */
  constant(name: string, element: Element, dims: readonly number[], data: ArrayBufferView): string
  /** Adds a step with one output; returns the output's name. */
  node(op: string, inputs: readonly string[], output: string, options?: NodeOptions): string
  /** The whole file. Dims are numbers, or names of what varies. */
  write(ends: { readonly inputs: readonly Value[]; readonly outputs: readonly Value[] }): Buffer
}

interface Value {
  readonly name: string
  readonly element: Element
  readonly dims: ReadonlyArray<number | string>
}

export function createOnnxWriter(graphName: string): OnnxWriter {
  const nodes: Field[] = []
  const constants: Field[] = []
  return {
    constant: (name, element, dims, data) => {
      constants.push(tensorField(name, element, dims, data))
      return name
    },
    node: (op, inputs, output, options = {}) => {
      nodes.push(nodeField(`${op}_${nodes.length}`, op, { inputs, output }, options))
      return output
    },
    write: ({ inputs, outputs }) => {
      const graph = message([
        ...nodes,
        bytesField(GRAPH.name, graphName),
        ...constants,
        ...inputs.map((value) => bytesField(GRAPH.input, valueInfo(value))),
        ...outputs.map((value) => bytesField(GRAPH.output, valueInfo(value))),
      ])
      return message([
        intField(MODEL.irVersion, 8),
        bytesField(MODEL.producer, 'turnscope'),
        bytesField(MODEL.graph, graph),
        opset('', 18),
        opset(MICROSOFT, 1),
      ])
    },
  }
}

function opset(domain: string, version: number): Field {
  const fields = [bytesField(OPSET.domain, domain), intField(OPSET.version, version)]
  return bytesField(MODEL.opset, message(fields))
}

function tensorField(
  name: string,
  element: Element,
  dims: readonly number[],
  data: ArrayBufferView,
): Field {
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const fields = [
    ...dims.map((dim) => intField(TENSOR.dim, dim)),
    intField(TENSOR.type, ELEMENT[element]),
    bytesField(TENSOR.name, name),
    bytesField(TENSOR.raw, raw),
  ]
  return bytesField(GRAPH.initializer, message(fields))
}

function nodeField(
  name: string,
  op: string,
  { inputs, output }: { readonly inputs: readonly string[]; readonly output: string },
  { attributes = {}, domain }: NodeOptions,
): Field {
  const fields = [
    ...inputs.map((input) => bytesField(NODE.input, input)),
    bytesField(NODE.output, output),
    bytesField(NODE.name, name),
    bytesField(NODE.op, op),
    ...Object.entries(attributes).map(([key, value]) =>
      bytesField(NODE.attribute, attribute(key, value)),
    ),
    ...(domain === undefined ? [] : [bytesField(NODE.domain, domain)]),
  ]
  return bytesField(GRAPH.node, message(fields))
}

function attribute(name: string, value: Attribute): Buffer {
  const [data, type] =
    'float' in value
      ? [floatField(ATTRIBUTE.float, value.float), ATTRIBUTE_TYPE.float]
      : [intField(ATTRIBUTE.int, value.int), ATTRIBUTE_TYPE.int]
  return message([bytesField(ATTRIBUTE.name, name), data, intField(ATTRIBUTE.type, type)])
}

function valueInfo({ name, element, dims }: Value): Buffer {
  const shape = message(
    dims.map((dim) =>
      bytesField(
        1,
        typeof dim === 'number' ? intField(DIM.value, dim) : bytesField(DIM.parameter, dim),
      ),
    ),
  )
  const tensor = message([
    intField(TENSOR_TYPE.elem, ELEMENT[element]),
    bytesField(TENSOR_TYPE.shape, shape),
  ])
  return message([bytesField(VALUE.name, name), bytesField(VALUE.type, bytesField(1, tensor))])
}

const VARINT = 0
const BYTES = 2
const FIXED32 = 5

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  // Negative numbers are written as their 64-bit two's complement.
  let rest = BigInt.asUintN(64, value)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return Buffer.from(bytes)
}

const tag = (field: number, wire: number) => varint(BigInt(field * 8 + wire))

function intField(field: number, value: number): Field {
  return Buffer.concat([tag(field, VARINT), varint(BigInt(value))])
}

function floatField(field: number, value: number): Field {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, FIXED32), bytes])
}

/** Bytes, a text in UTF-8, or a message given by its own fields. */
function bytesField(field: number, value: Uint8Array | string): Field {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
  return Buffer.concat([tag(field, BYTES), varint(BigInt(bytes.length)), bytes])
}

function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields)
}
