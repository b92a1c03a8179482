import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { DataKind, Workspace } from '../../files/workspace.ts'

/** Raised when the same files would give other stats. */
const STATS_VERSION = 1

/** Both keys of what the index knows under a configuration. */
export interface Fingerprints {
  readonly base: string
  /** Of both configurations; null without a comparison. */
  readonly pair: string | null
}

/**
 * [K4] What a configuration comes to: the contents of its files, not their names, so that an edited
 * file counts as another configuration. Nothing is parsed: it must be quick.
 */
export async function fingerprintsOf(
  workspace: Workspace,
  version: string,
  { config, compare }: { readonly config: ReplayConfig; readonly compare: ReplayConfig | null },
): Promise<Fingerprints> {
  const one = async (each: ReplayConfig) => {
    const parts = await Promise.all([
      contentOf(workspace, 'presets', each.preset),
      contentOf(workspace, 'domains', each.domains),
      each.profile === null ? '' : contentOf(workspace, 'models', each.profile),
    ])
    return short(JSON.stringify([STATS_VERSION, version, parts, each.classify]))
  }
  const base = await one(config)
  return { base, pair: compare === null ? null : `${base}+${await one(compare)}` }
}

async function contentOf(workspace: Workspace, kind: DataKind, name: string): Promise<string> {
  const file = await workspace.find(kind, name)
  if (!file.ok) return 'missing'
  const bytes = await readFile(file.value.path).catch(() => null)
  return bytes === null ? 'unreadable' : short(bytes)
}

function short(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64url').slice(0, 16)
}
