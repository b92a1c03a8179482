import { Bot, Database, GitBranch, type LucideIcon, Waypoints } from 'lucide-react'
import type { TrustState, TrustUse } from '../../../core/engine/schema/trust.ts'

/** Title of one item, its destination, and the consequence of trusting it. */
interface ItemWords {
  readonly icon: LucideIcon
  readonly title: string
  /** The part of the address that decides who is asked: shown first, and whole. */
  readonly place: string
  readonly means: string
}

const NAMES: Readonly<Record<string, string>> = {
  qdrant: 'Qdrant',
  pgvector: 'PostgreSQL with pgvector',
  lancedb: 'LanceDB',
  ollama: 'Ollama',
  openai: 'OpenAI-compatible server',
  anthropic: 'Anthropic API',
  'openai-compatible': 'OpenAI-compatible server',
}

const nameOf = (by: string): string => NAMES[by] ?? by

/** Protocol, host and port. User information before an `@` is dropped, because it does not affect the destination. */
function originOf(address: string): string {
  const url = URL.parse(address)
  return url === null || url.host === '' ? address : `${url.protocol}//${url.host}`
}

/** The whole address if it is more than its origin; null otherwise. */
export function restOf({ address }: TrustUse): string | null {
  return address === '' || address.replace(/\/$/u, '') === originOf(address) ? null : address
}

type Told = (item: TrustUse) => ItemWords

const STORE: Told = ({ by, address, variables }) => ({
  icon: Database,
  title: `Vector store: ${nameOf(by)}`,
  place: address === '' ? `the address in ${variables.join(', ')}` : originOf(address),
  means:
    by === 'lancedb'
      ? 'Its driver, a native package, is loaded. Documents are written there, and probed texts are looked for.'
      : 'The documents of its collections and every message that is probed are sent there.',
})

const MODEL_FILES: Told = ({ by, address }) => ({
  icon: Waypoints,
  title: by === 'folder' ? 'Embedder: model from a folder' : 'Embedder: downloaded model',
  place: address,
  means: 'Its files are read by native code.',
})

const SERVED: Told = ({ by, address }) => ({
  icon: Waypoints,
  title: `Embedder: ${nameOf(by)}`,
  place: originOf(address),
  means: 'The documents that are indexed and every message that is probed are sent there.',
})

const COACH: Told = ({ by, address }) => ({
  icon: Bot,
  title: `Model of the coach: ${nameOf(by)}`,
  place: originOf(address),
  means: 'The outputs that you have judged are sent there, after redaction.',
})

const GIT: Told = ({ address }) => ({
  icon: GitBranch,
  title: 'Git',
  place: address,
  means:
    'git is started there for history, for when a line was edited, and to compare with revisions. Hooks and programs that the repository names stay off, also when it is trusted.',
})

const TOLD: Readonly<Record<TrustUse['kind'], Told>> = {
  store: STORE,
  embedder: (item) => (item.by === 'folder' || item.by === 'download' ? MODEL_FILES : SERVED)(item),
  coach: COACH,
  git: GIT,
}

export const itemWords: Told = (item) => TOLD[item.kind](item)

/** Names of the variables that are sent along; null if there are none. */
export function variablesOf({ kind, address, variables }: TrustUse): string | null {
  if (variables.length === 0) return null
  const names = variables.join(kind === 'coach' ? ' or ' : ', ')
  if (address === '') return `Read from your environment: ${names}.`
  return kind === 'coach'
    ? `Sent along as the key, where it is set: ${names}.`
    : `Sent along as the key: ${names}.`
}

const LEADS: Readonly<Record<TrustState['standing'], string>> = {
  own: 'This workspace belongs to Turnscope itself: nothing is asked about it.',
  plain:
    'This workspace names no address, variable, driver or repository, so there is nothing to trust. You are asked when it does.',
  trusted: 'You trust this workspace with what is listed. What it names later is asked about.',
  restricted:
    'This workspace names what is listed below. It stays off until you say that you trust it. Domains, presets, labels, prompts, transcripts and the local probe work either way.',
}

export function leadOf({ standing, known, thisRun }: TrustState): string {
  if (standing === 'trusted' && thisRun && !known)
    return 'Turnscope was started with --trust: what is listed is allowed for this run, and nothing is kept.'
  if (standing === 'restricted' && known)
    return 'You trusted this workspace, and now it names something new. What is new stays off until you allow it too.'
  return LEADS[standing]
}

/** Short list of the disabled items, for the banner. */
export function offOf({ items }: TrustState): string {
  const off = items.filter(({ granted }) => !granted)
  const words = off.map((item) => {
    const { title, place } = itemWords(item)
    return item.kind === 'git' ? 'git' : `${title.toLowerCase().split(':')[0] ?? title} (${place})`
  })
  const unique = [...new Set(words)]
  const shown = unique.slice(0, 3).join(', ')
  return unique.length > 3 ? `${shown} and ${unique.length - 3} more` : shown
}
