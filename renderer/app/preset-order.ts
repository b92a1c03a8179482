import type { PresetInfo } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'

/** The default first, then the others as the host lists them. */
export function defaultFirst(
  presets: ReadonlyArray<Immutable<PresetInfo>>,
): ReadonlyArray<Immutable<PresetInfo>> {
  return presets.toSorted((a, b) => Number(a.differs.length > 0) - Number(b.differs.length > 0))
}
