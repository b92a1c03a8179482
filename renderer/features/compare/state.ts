import type { HostInfo } from '../../../core/wire/contract.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { draftOf, isChanged } from '../lab-corpus/sides.ts'
import type { LabState, WireSide } from '../lab-corpus/store.ts'
import type { RunChoice } from '../../app/store.ts'
import type { Answer } from '../../app/question.ts'
import { wireConfig } from '../../app/wire.ts'

/** One thing that can be compared, as the pickers list it. */
export interface SideOption {
  readonly value: string
  readonly label: string
  readonly group: 'Now' | 'Presets' | 'Domain files' | 'Revisions'
}

export type Revision = Pick<Answer<'git.revisions'>['revisions'][number], 'revision' | 'subject'>

const HASH_CHARS = 8

/** All sides there are: what is in force, the draft, other presets and files, revisions of the file. */
export function sideOptions(
  info: Immutable<HostInfo>,
  run: RunChoice,
  changed: boolean,
  revisions: readonly Revision[],
): readonly SideOption[] {
  return [
    { value: 'now', label: `${run.preset} · ${run.domains}, as saved`, group: 'Now' },
    ...(changed ? [{ value: 'draft', label: 'the draft', group: 'Now' } as const] : []),
    ...info.presets
      .filter(({ name }) => name !== run.preset)
      .map(({ name }) => ({ value: `preset:${name}`, label: name, group: 'Presets' as const })),
    ...info.domainFiles
      .filter(({ name }) => name !== run.domains)
      .map(({ name }) => ({
        value: `domains:${name}`,
        label: name,
        group: 'Domain files' as const,
      })),
    ...revisions.map(({ revision, subject }) => ({
      value: `revision:${revision}`,
      label: `${revision.slice(0, HASH_CHARS)} ${subject}`,
      group: 'Revisions' as const,
    })),
  ]
}

/** The side that a value names, as the wire wants it; null where it names none, or no draft is there. */
export function sideOf(value: string, run: RunChoice, state: LabState): WireSide | null {
  const config = wireConfig(run)
  if (value === 'now') return { kind: 'config', config }
  if (value === 'draft')
    return isChanged(state) ? { kind: 'draft', draft: draftOf(state, run) } : null
  const cut = value.indexOf(':')
  const [kind, name] = [value.slice(0, cut), value.slice(cut + 1).trim()]
  if (name === '') return null
  if (kind === 'preset') return { kind: 'config', config: { ...config, preset: name } }
  if (kind === 'domains') return { kind: 'config', config: { ...config, domains: name } }
  return kind === 'revision' ? { kind: 'revision', config, revision: name } : null
}
