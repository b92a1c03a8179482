import type { DomainFile } from '../../engine/schema/domain.ts'
import type { FormatMap } from '../../engine/schema/format-map.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'

/** The value of a file, by kind. */
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
  /** The raw file, for the lines of problems; absent if the value does not come from a single file. */
  readonly text?: string
  readonly file: DataFileRef
}
