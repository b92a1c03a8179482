import { type ProbeSettings, SHIPPED_EMBEDDER } from '../engine/schema/probe-settings.ts'
import type { CoachSettings } from '../engine/schema/coach-wire.ts'

/** Default settings before the operator has chosen any. */
export const DEFAULT_COACH: CoachSettings = {
  mode: 'off',
  provider: 'anthropic',
  baseUrl: null,
  model: '',
  inputPrice: null,
  outputPrice: null,
  timeoutSeconds: 60,
  rateLimit: 50,
  maxCost: null,
  maxTokens: null,
}

export const DEFAULT_PROBE: ProbeSettings = {
  embedder: SHIPPED_EMBEDDER,
  auto: true,
  embedders: {},
  measured: {},
}

/** An empty draft: the coach's prompt and rules as on disk. */
export const NO_DRAFT = { system: null, rules: null } as const
