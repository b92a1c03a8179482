import { join } from 'node:path'
import type { EmbedderInfo } from '../../../contract-probe.ts'
import type { Problem, Result } from '../../../engine/result.ts'
import { err } from '../../../engine/result.ts'
import type { EmbedderConfig, ProbeSettings } from '../../../engine/schema/probe-settings.ts'
import { SHIPPED_EMBEDDER } from '../../../engine/schema/probe-settings.ts'
import { REAL_TIME } from '../../coach/real-time.ts'
import type { Embedders, OpenEmbedder } from '../ports.ts'
import type { Engine } from './engine.ts'
import { openLocal } from './local.ts'
import { openOllama } from './ollama.ts'
import { openOpenAi } from './openai.ts'
import type { Asking } from './remote-call.ts'
import { SHIPPED_DIMENSIONS, SHIPPED_ID, shippedModelFolder } from './shipped-model.ts'

interface EmbedderPlaces {
  /** Root of what ships: the repository, or the resources of the application. */
  readonly shipped: string
  /** Where models that the user fetched are kept. */
  readonly modelsDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How servers are asked; tests are in a hurry. */
  readonly asking?: Asking
}

type Config = EmbedderConfig | { readonly kind: 'shipped'; readonly title: string }
type Opened = Promise<Result<Engine>>

const SHIPPED: Config = { kind: 'shipped', title: 'all-MiniLM-L6-v2 (shipped)' }
/** [L29] [D25] Measured with scripts/measure-embedder.ts. */
const SHIPPED_THRESHOLD = { value: 0.35, measured: 'TODO' }

/** A server may load its model first; 64 MB are 32 vectors of any size with room to spare. */
const ASKING: Asking = { time: REAL_TIME, timeoutMs: 60_000, maxAnswer: 64_000_000 }

/** All embedders of this machine: the shipped one, and those of the settings. */
export function createEmbedders(options: EmbedderPlaces): Embedders {
  const { shipped, modelsDir, env, asking = ASKING } = options
  const opened = new Map<string, Opened>()
  const settled = new Map<string, Result<Engine>>()
  const runtime = join(shipped, 'runtime')

  const start = async (config: Config): Opened => {
    switch (config.kind) {
      case 'shipped': {
        const folder = await shippedModelFolder({ shipped, modelsDir })
        return folder.ok ? openLocal(folder.value, { runtime, id: SHIPPED_ID }) : folder
      }
      case 'folder':
        return openLocal(config.path, { runtime, id: null })
      case 'download':
        return err({ what: 'not yet', where: config.kind, do: env['HOME'] ?? 'wait' })
      case 'ollama':
        return openOllama(config.url, config.model, asking)
      case 'openai':
        return openOpenAi(config, env, asking)
    }
  }

  /** Opens once, and again after a failure: what was missing may be there now. */
  const engineOf = (key: string, config: Config): Opened => {
    const known = opened.get(key)
    if (known !== undefined) return known
    const opening = start(config).then((result) => {
      settled.set(key, result)
      if (!result.ok) opened.delete(key)
      return result
    })
    opened.set(key, opening)
    return opening
  }

  return {
    list: (settings) =>
      Promise.resolve(
        configsOf(settings).map(([name, config]) =>
          describe({ name, config, settings, state: settled.get(keyOf(name, config)) }),
        ),
      ),
    downloads: () => Promise.resolve([]),
    open: async (name, settings) => {
      const config = configsOf(settings).find(([each]) => each === name)?.[1]
      if (config === undefined) return err(unknown(name))
      const engine = await engineOf(keyOf(name, config), config)
      if (!engine.ok) return engine
      const threshold = thresholdOf(name, config, settings).threshold
      return { ok: true, value: withThreshold(engine.value, threshold) }
    },
    download: (model) => Promise.resolve(err(unknown(model))),
    close: async () => {
      const all = await Promise.all(opened.values())
      opened.clear()
      settled.clear()
      for (const result of all) if (result.ok) await result.value.close()
    },
  }
}

/** Another configuration under the same name is another embedder. */
const keyOf = (name: string, config: Config) => JSON.stringify([name, config])

function configsOf(settings: ProbeSettings): ReadonlyArray<readonly [string, Config]> {
  const added = Object.entries(settings.embedders).filter(([name]) => name !== SHIPPED_EMBEDDER)
  return [[SHIPPED_EMBEDDER, SHIPPED], ...added]
}

/** Closed with the others, by `Embedders.close`: it may be in use elsewhere. */
function withThreshold(engine: Engine, threshold: number | null): OpenEmbedder {
  return {
    id: engine.id,
    get dimensions() {
      return engine.dimensions
    },
    threshold,
    remote: engine.remote,
    embed: (texts, signal) => engine.embed(texts, signal),
    close: () => Promise.resolve(),
  }
}

/** [L29] [D25] What was measured on this machine wins; what was not measured at all has none. */
function thresholdOf(name: string, config: Config, settings: ProbeSettings) {
  const own = settings.measured[name]
  if (own !== undefined) {
    return { threshold: own.threshold, measured: `measured here over ${own.queries} queries` }
  }
  if (config.kind !== 'shipped') return { threshold: null, measured: null }
  return { threshold: SHIPPED_THRESHOLD.value, measured: SHIPPED_THRESHOLD.measured }
}

interface Described {
  readonly name: string
  readonly config: Config
  readonly settings: ProbeSettings
  readonly state: Result<Engine> | undefined
}

function describe({ name, config, settings, state }: Described): EmbedderInfo {
  const isShipped = config.kind === 'shipped'
  const engine = state?.ok === true ? state.value : null
  return {
    name,
    id: engine?.id ?? (isShipped ? SHIPPED_ID : null),
    title: config.title,
    kind: config.kind,
    dimensions: engine?.dimensions ?? (isShipped ? SHIPPED_DIMENSIONS : null),
    ...thresholdOf(name, config, settings),
    state: state === undefined ? 'not_loaded' : state.ok ? 'ready' : 'failed',
    problem: state === undefined || state.ok ? null : `${state.error.what}. ${state.error.do}.`,
    remote: config.kind === 'ollama' || config.kind === 'openai',
  }
}

function unknown(name: string): Problem {
  return { what: `no embedder is called ${name}`, where: 'settings', do: 'Choose one of the list' }
}
