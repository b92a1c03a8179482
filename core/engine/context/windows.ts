interface WindowRow {
  /** Beginning of the model's name, without the provider's name before it. */
  readonly model: string
  /** Tokens that the window can have, the usual size first. */
  readonly sizes: readonly [number, ...number[]]
}

/** [X5] Context windows as the providers' pages stated them in October 2025. */
const ROWS: readonly WindowRow[] = [
  { model: 'claude-', sizes: [200_000, 1_000_000] },
  { model: 'claude-2.0', sizes: [100_000] },
  { model: 'claude-instant', sizes: [100_000] },
  { model: 'gpt-5', sizes: [400_000] },
  { model: 'gpt-4.1', sizes: [1_047_576] },
  { model: 'gpt-4o', sizes: [128_000] },
  { model: 'gpt-4-turbo', sizes: [128_000] },
  { model: 'gpt-4', sizes: [8192, 32_768] },
  { model: 'gpt-3.5-turbo', sizes: [16_385] },
  { model: 'gpt-oss', sizes: [131_072] },
  { model: 'codex-mini', sizes: [200_000] },
  { model: 'o1', sizes: [200_000] },
  { model: 'o3', sizes: [200_000] },
  { model: 'o4-mini', sizes: [200_000] },
  { model: 'gemini-1.5-pro', sizes: [2_097_152] },
  { model: 'gemini-', sizes: [1_048_576] },
  { model: 'deepseek-', sizes: [128_000] },
  { model: 'qwen3-coder', sizes: [262_144, 1_000_000] },
  { model: 'qwen3', sizes: [131_072, 262_144] },
  { model: 'kimi-k2', sizes: [262_144] },
  { model: 'glm-4.5', sizes: [131_072] },
  { model: 'glm-4.6', sizes: [200_000] },
  { model: 'grok-4', sizes: [256_000, 2_000_000] },
  { model: 'grok-code', sizes: [256_000] },
  { model: 'mistral-', sizes: [128_000] },
  { model: 'devstral', sizes: [128_000] },
  { model: 'llama-3', sizes: [131_072] },
]

/** `provider/model`, `us.anthropic.model-v1:0` and `models/model` name the same model. */
function bareName(model: string): string {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1)
  return name.replace(/^(?:[a-z]{2,6}\.)?[a-z]{2,20}\.(?=[a-z])/u, '')
}

/**
 * [X5] The context window of a model in tokens: the smallest known size that holds `most`, the largest context
 * recorded for it. Null if the model is unknown, or if no known size holds that much.
 */
export function windowOf(model: string | null, most = 0): number | null {
  if (model === null) return null
  const name = bareName(model)
  const rows = ROWS.filter((row) => name.startsWith(row.model))
  const row = rows.toSorted((a, b) => b.model.length - a.model.length)[0]
  return row?.sizes.find((size) => size >= most) ?? null
}
