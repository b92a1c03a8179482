import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import type { Result } from '../../../engine/result.ts'

/** An opened embedder without what the settings say about it. */
export interface Engine {
  readonly id: string
  /** Null until the first answer, where only the model knows. */
  readonly dimensions: number | null
  readonly remote: boolean
  embed(texts: readonly string[], signal: AbortSignalLike): Promise<Result<readonly Float32Array[]>>
  close(): Promise<void>
}
