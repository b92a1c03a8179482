import dns from 'node:dns'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { createEmbedders } from './embedders.ts'

// For tests only, run as a process of its own: embeds three sentences on a machine without a network
// and prints what came of it. Arguments: root of what ships, folder of models.

/** What the process is started with. */
export const OFFLINE_SCRIPT = fileURLToPath(import.meta.url)

const attempts: string[] = []
function refuse(name: string): () => never {
  return () => {
    attempts.push(name)
    throw new Error(`${name}: there is no network`)
  }
}

function cutNetwork(): void {
  Object.assign(globalThis, { fetch: refuse('fetch'), WebSocket: refuse('WebSocket') })
  net.Socket.prototype.connect = refuse('connect')
  Object.assign(dns, { lookup: refuse('lookup'), resolve: refuse('resolve') })
  Object.assign(dns.promises, { lookup: refuse('lookup'), resolve: refuse('resolve') })
}

const [shipped = '', modelsDir = ''] = process.argv.slice(2)
const SENTENCES = [
  'The weather is lovely today.',
  "It's so sunny outside!",
  'He drove to the stadium.',
]

async function run(): Promise<void> {
  cutNetwork()
  const embedders = createEmbedders({ shipped, modelsDir, env: {} })
  const settings = { embedder: 'minilm', auto: false, embedders: {}, measured: {} }
  const opened = await embedders.open('minilm', settings)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const embedded = await opened.value.embed(SENTENCES, { aborted: false })
  if (!embedded.ok) throw new Error(JSON.stringify(embedded.error))
  const [a, b, c] = embedded.value
  const dot = (x: Float32Array | undefined, y: Float32Array | undefined) =>
    x?.reduce((sum, value, index) => sum + value * (y?.[index] ?? 0), 0) ?? Number.NaN
  console.log(JSON.stringify({ similarities: [dot(a, b), dot(a, c), dot(b, c)], attempts }))
  await embedders.close()
}

if (process.argv[1] === OFFLINE_SCRIPT) await run()
