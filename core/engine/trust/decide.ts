import type { TrustFile, TrustItem, TrustPlace, TrustStanding } from '../schema/trust.ts'
import { identityOf } from './items.ts'

/** The only inputs of a trust decision. */
export interface Grounds {
  readonly place: TrustPlace
  /** Contents of the trust file; null if it could not be read, in which case it allows nothing. */
  readonly file: Pick<TrustFile, 'workspaces' | 'variables'> | null
  /** Repositories of Turnscope's own folders. */
  readonly ownRepositories: readonly string[]
}

/** [V30] Whether an item may be used: it is our own, or the operator allowed exactly this item. */
export function isAllowed(item: TrustItem, grounds: Grounds): boolean {
  const { place } = grounds
  if (place.thisRun === 'all' || isIn(item, place.thisRun)) return true
  if (item.kind === 'git') return isGitAllowed(item, grounds)
  if (place.own.includes(place.workspace)) return true
  const records = grounds.file?.workspaces.filter(({ path }) => path === place.workspace) ?? []
  return records.some(({ items }) => isIn(item, items)) || isPaired(item, grounds)
}

/**
 * [V37] A repository is identified by its folder, for any workspace that leads there. A file named on the command line
 * may be in another one.
 */
function isGitAllowed(item: TrustItem, { file, ownRepositories }: Grounds): boolean {
  if (ownRepositories.includes(item.address)) return true
  return (file?.workspaces ?? []).some(({ items }) => isIn(item, items))
}

/** [D62] Permission to use a variable for an address includes permission for the address. */
function isPaired({ address, variables }: TrustItem, { place, file }: Grounds): boolean {
  const origin = originOf(address)
  if (origin === null) return false
  return [...place.pairs, ...(file?.variables ?? [])].some(
    (pair) => variables.includes(pair.name) && originOf(pair.address) === origin,
  )
}

function originOf(address: string): string | null {
  const [, origin = null] = /^(https?:\/\/[^/?#\s@\\]+)(?:[/?#]|$)/iu.exec(address) ?? []
  return origin === null ? null : withoutPort(origin.toLowerCase())
}

/** The port of its protocol is no other port. */
function withoutPort(origin: string): string {
  return origin.replace(origin.startsWith('https') ? /:443$/u : /:80$/u, '')
}

function isIn(item: TrustItem, items: readonly TrustItem[]): boolean {
  const key = identityOf(item)
  return items.some((each) => identityOf(each) === key)
}

/** [V30] The trust state of a workspace, given which of its items are allowed. */
export function standingOf(
  { own, workspace }: Pick<TrustPlace, 'own' | 'workspace'>,
  items: ReadonlyArray<{ readonly granted: boolean }>,
): TrustStanding {
  if (own.includes(workspace)) return 'own'
  if (items.length === 0) return 'plain'
  return items.every(({ granted }) => granted) ? 'trusted' : 'restricted'
}

const WHAT: Readonly<Record<TrustItem['kind'], string>> = {
  store: 'vector store',
  embedder: 'embedder',
  coach: "coach's model",
  git: 'git',
}

/** One item in a line: what, where, and which variables go there. */
export function sentenceOf({ kind, by, address, variables }: TrustItem): string {
  if (kind === 'git') return `git in ${address} (history, blame, comparing with revisions)`
  const keys = variables.join(' or ')
  if (address === '') return `${WHAT[kind]} (${by}) at the address in the variable ${keys}`
  const sent = keys === '' ? '' : `, with the variable ${keys}`
  return `${WHAT[kind]} (${by}) at ${address}${sent}`
}
