import type { CoachSettings } from '../schema/coach-wire.ts'
import type { Immutable } from '../schema/immutable.ts'
import type { CollectionEntry } from '../schema/probe.ts'
import type { EmbedderConfig, ProbeSettings } from '../schema/probe-settings.ts'
import type { TrustItem } from '../schema/trust.ts'

/** The providers' own addresses. Always given, so that no variable of the environment decides. */
export const PROVIDERS: Readonly<Record<CoachSettings['provider'], string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': 'https://api.openai.com/v1',
}

/** The variable with a key for the coach's model, wherever that is. */
export const COACH_VARIABLE = 'TURNSCOPE_COACH_KEY'
/** The variable of each provider, for the provider's own address and this machine. */
export const PROVIDER_VARIABLES: Readonly<Record<CoachSettings['provider'], string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  'openai-compatible': 'OPENAI_API_KEY',
}

/** An item, and what in the workspace uses it. */
export type NamedItem = TrustItem & { readonly users: readonly string[] }

type Store = NonNullable<CollectionEntry['store']>
type Served = Exclude<Store, { readonly kind: 'local' | 'file' }>

/** [V31] The trust that a store needs; null for the local one and for a file, which need none. */
export function itemOfStore(store: CollectionEntry['store']): TrustItem | null {
  if (store === undefined || store.kind === 'local' || store.kind === 'file') return null
  return itemOfServed(store)
}

/** The same for a store that is no local one. */
export function itemOfServed(store: Served): TrustItem {
  switch (store.kind) {
    case 'qdrant': {
      const variables = store.keyEnv === undefined ? [] : [store.keyEnv]
      return { kind: 'store', by: store.kind, address: store.url, variables }
    }
    case 'pgvector':
      return { kind: 'store', by: store.kind, address: '', variables: [store.urlEnv] }
    case 'lancedb':
      return { kind: 'store', by: store.kind, address: store.uri, variables: [] }
  }
}

/**
 * [V31] The trust that an embedder needs. A model from a folder or a download needs trust too. Native code reads its
 * files, which come from the workspace's own folder or from an address that it names.
 */
export function itemOfEmbedder(config: EmbedderConfig): TrustItem {
  const item = { kind: 'embedder', by: config.kind, variables: [] } as const
  switch (config.kind) {
    case 'folder':
      return { ...item, address: config.path }
    case 'download':
      return { ...item, address: config.model }
    case 'ollama':
      return { ...item, address: config.url }
    case 'openai':
      return {
        ...item,
        address: config.url,
        variables: config.keyEnv === null ? [] : [config.keyEnv],
      }
  }
}

type Coach = Pick<CoachSettings, 'provider' | 'baseUrl' | 'model' | 'mode'>

/** [V31] The trust that the coach's model needs: its address, and the variables that may hold a key for it. */
export function itemOfCoach({ provider, baseUrl }: Pick<Coach, 'provider' | 'baseUrl'>): TrustItem {
  return {
    kind: 'coach',
    by: provider,
    address: baseUrl ?? PROVIDERS[provider],
    variables: [COACH_VARIABLE, PROVIDER_VARIABLES[provider]],
  }
}

/** Whether settings name a model at all; who has chosen none names none. */
export function namesCoach({ mode, model, baseUrl }: Immutable<Coach>): boolean {
  return mode === 'model' || model !== '' || baseUrl !== null
}

/** [V37] The item that git needs: the repository's folder. */
export function itemOfGit(root: string): TrustItem {
  return { kind: 'git', by: 'git', address: root, variables: [] }
}

export interface Naming {
  readonly collections: ReadonlyArray<Pick<CollectionEntry, 'name' | 'store'>>
  readonly probe: Immutable<ProbeSettings>
  readonly coach: Immutable<Coach>
  /** Real paths of repositories. */
  readonly repositories: readonly string[]
}

/** [V31] All that a workspace names, each item once, in the order in which the question lists it. */
export function namedItems({
  collections,
  probe,
  coach,
  repositories,
}: Naming): readonly NamedItem[] {
  const stores = collections.flatMap(({ name, store }) => {
    const item = itemOfStore(store)
    return item === null ? [] : [{ ...item, users: [name] }]
  })
  const embedders = Object.entries(probe.embedders).map(([name, config]) => ({
    ...itemOfEmbedder(config),
    users: [name],
  }))
  const coaches = namesCoach(coach)
    ? [{ ...itemOfCoach(coach), users: coach.model === '' ? [] : [coach.model] }]
    : []
  const git = repositories.map((root) => ({ ...itemOfGit(root), users: [] }))
  return merged([...stores, ...embedders, ...coaches, ...git])
}

export function identityOf({ kind, by, address, variables }: TrustItem): string {
  return JSON.stringify([kind, by, address, [...variables].sort()])
}

function merged(items: readonly NamedItem[]): readonly NamedItem[] {
  const all = new Map<string, NamedItem>()
  for (const item of items) {
    const key = identityOf(item)
    all.set(key, { ...item, users: [...(all.get(key)?.users ?? []), ...item.users] })
  }
  return [...all.values()]
}
