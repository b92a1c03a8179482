import type { DomainFile } from '../../engine/schema/domain.ts'
import type { FormatMap } from '../../engine/schema/format-map.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'

/** What a file of each kind holds. */
export interface DataValues {
  readonly presets: Preset
  readonly domains: DomainFile
  readonly models: ModelProfile
  readonly formats: FormatMap
}

export type DataKind = keyof DataValues

export interface DataFileRef {
  readonly name: string
  readonly path: string
  /** As people know it: `profiles/domains/default.yaml`. */
  readonly shown: string
}

/** A parsed file with a fingerprint of its content, the key of everything compiled from it. */
export interface Loaded<T> {
  readonly value: T
  readonly fingerprint: string
  /** The file as it was read, for the lines of what is wrong in it; absent where it was never one file. */
  readonly text?: string
  readonly file: DataFileRef
}
