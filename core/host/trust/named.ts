import { join } from 'node:path'
import { type Result, formatProblem, ok } from '../../engine/result.ts'
import type { CoachSettings } from '../../engine/schema/coach-wire.ts'
import { type CollectionEntry, CollectionsFile } from '../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import type { TrustState } from '../../engine/schema/trust.ts'
import { standingOf } from '../../engine/trust/decide.ts'
import { type NamedItem, namedItems } from '../../engine/trust/items.ts'
import { COLLECTIONS_FILE, findCollectionsFile } from '../workspace/collections-text.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import type { TrustGate } from '../platform/trust/gate.ts'
import { repositoryOf } from '../platform/trust/repository.ts'
import { digestOf, readTrust } from '../platform/trust/trust-file.ts'

/** The part of a workspace's settings that can name something. */
interface NamingSettings {
  readonly coach: CoachSettings
  readonly probe: ProbeSettings
}

interface Named {
  readonly items: readonly NamedItem[]
  /** Why a part could not be read. The items that it names are then also disabled. */
  readonly problem: string | null
}

/** Folders whose files git reads; a subfolder of a workspace may be a separate repository. */
const WITH_HISTORY = ['', 'profiles/domains', 'profiles/presets']

/**
 * [V31] All that a workspace names, by reading its files: nothing is connected to, loaded or started.
 * @param roots the workspace, then what ships
 */
export async function namedBy(roots: readonly string[], settings: NamingSettings): Promise<Named> {
  const [workspace = ''] = roots
  const collections = await collectionsOf(roots)
  const repositories = WITH_HISTORY.flatMap((folder) => repositoryOf(join(workspace, folder)) ?? [])
  const items = namedItems({
    ...settings,
    collections: collections.ok ? collections.value : [],
    repositories: [...new Set(repositories)],
  })
  return { items, problem: collections.ok ? null : formatProblem(collections.error) }
}

async function collectionsOf(
  roots: readonly string[],
): Promise<Result<readonly CollectionEntry[]>> {
  const found = await findCollectionsFile(roots)
  if (found === null) return ok([])
  if (!found.text.ok) return found.text
  const parsed = parseDataFile(CollectionsFile, found.text.value, COLLECTIONS_FILE)
  return parsed.ok ? ok(parsed.value.collections) : parsed
}

/** [V30] The trust state of a workspace, and the items that the question lists. */
export async function trustState(
  gate: TrustGate,
  roots: readonly string[],
  settings: NamingSettings,
): Promise<TrustState> {
  const { place } = gate
  const { items, problem } = await namedBy(roots, settings)
  const file = readTrust(place)
  const uses = items.map((item) => ({ ...item, granted: gate.may(item, '').ok }))
  return {
    standing: standingOf(place, uses),
    path: place.workspace,
    items: uses,
    digest: digestOf(items, place.workspace),
    known: file.ok && file.value.workspaces.some(({ path }) => path === place.workspace),
    thisRun: place.thisRun === 'all' || place.thisRun.length > 0,
    problem: file.ok ? problem : formatProblem(file.error),
  }
}
