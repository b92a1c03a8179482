import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatProblem } from '../core/engine/result.ts'
import type { ThresholdPoint } from '../core/engine/schema/probe.ts'
import type { EmbedderConfig, ProbeSettings } from '../core/engine/schema/probe-settings.ts'
import { openProbe } from '../core/host/probe/open.ts'
import { measureEmbedder } from '../core/host/probe/evaluation/evaluate.ts'
import { ROOT } from './build.ts'

// Threshold of an embedder [L29]: over the shipped collections and the queries kept for tuning.
//   node scripts/measure-embedder.ts
//   node scripts/measure-embedder.ts --folder DIR
//   node scripts/measure-embedder.ts --ollama URL --model NAME
//   node scripts/measure-embedder.ts --openai URL --model NAME [--key-env VARIABLE]

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    ollama: { type: 'string' },
    openai: { type: 'string' },
    model: { type: 'string', default: '' },
    'key-env': { type: 'string' },
  },
})

function chosen(): EmbedderConfig | null {
  const { folder, ollama, openai, model, 'key-env': keyEnv = null } = values
  const title = 'measured'
  if (folder !== undefined) return { kind: 'folder', title, path: folder }
  if (ollama !== undefined) return { kind: 'ollama', title, url: ollama, model }
  return openai === undefined ? null : { kind: 'openai', title, url: openai, model, keyEnv }
}

const percent = ({ hits, of, value }: ThresholdPoint['recall']) =>
  `${value === null ? '  –' : (value * 100).toFixed(0).padStart(3)} % (${hits}/${of})`.padEnd(16)

function line(point: ThresholdPoint): string {
  const { threshold, primary, precision, recall, falseHits } = point
  const cells = [primary, precision, recall, falseHits].map(percent)
  return `${threshold.toFixed(2).padEnd(11)}${cells.join('')}`
}

async function run(): Promise<void> {
  const config = chosen()
  const name = config === null ? 'minilm' : 'measured'
  const embedders = config === null ? {} : { [name]: config }
  const settings: ProbeSettings = { embedder: 'minilm', auto: false, embedders, measured: {} }
  const stateDir = mkdtempSync(join(tmpdir(), 'turnscope-measure-'))
  // Naming the variable on the command line permits sending it to this address.
  const allowed = config?.kind === 'openai' ? `${config.keyEnv ?? ''}@${config.url}` : ''
  const env = { ...process.env, TURNSCOPE_ALLOW_ENV: allowed }
  const service = openProbe({ workspace: ROOT, shipped: ROOT, stateDir, env })
  try {
    const { signal } = new AbortController()
    const nothing = () => undefined
    const work = { signal, report: nothing, answered: nothing }
    const measured = await measureEmbedder(service, settings, name, work)
    if (!measured.ok) throw new Error(formatProblem(measured.error))
    const { threshold, queries, points } = measured.value
    console.log(`threshold  primary         precision       recall          false hits`)
    for (const point of points) console.log(line(point))
    console.log(
      `\n${name}: ${threshold.toFixed(2)}, over ${queries} queries (recommended hit rule)`,
    )
  } finally {
    await service.close()
    rmSync(stateDir, { recursive: true, force: true })
  }
}

await run()
