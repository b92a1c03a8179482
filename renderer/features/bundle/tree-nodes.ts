import type { PromptPart } from '../../../core/engine/schema/bundle-report.ts'

/** One line of the tree of a bundle. `id`: names from the root, joined by `/` (in names: `~1`). */
export interface TreeNode {
  readonly id: string
  readonly name: string
  readonly depth: number
  /** The value on one line, or how much is below. */
  readonly value: string
  readonly branch: boolean
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'list' | 'object' | 'more'
}

const MOST = 200
const ONE_LINE = 160

function kindOf(value: unknown): TreeNode['kind'] {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

function childrenOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function preview(value: unknown): string {
  const kind = kindOf(value)
  const size = childrenOf(value).length
  if (kind === 'list') return `${size} ${size === 1 ? 'item' : 'items'}`
  if (kind === 'object') return `${size} ${size === 1 ? 'field' : 'fields'}`
  const text = (typeof value === 'string' ? value : JSON.stringify(value ?? null)).replace(
    /\s+/gu,
    ' ',
  )
  return text.length > ONE_LINE ? `${text.slice(0, ONE_LINE)}…` : text
}

const escaped = (name: string) => name.replaceAll('/', '~1')

/** Visible lines of the tree, in order. Branches in `open` show their children. */
export function treeNodes(bundle: object, open: ReadonlySet<string>): readonly TreeNode[] {
  const nodes: TreeNode[] = []
  const walk = (value: unknown, path: string, depth: number) => {
    const all = childrenOf(value)
    for (const [name, own] of all.slice(0, MOST)) {
      const id = path === '' ? escaped(name) : `${path}/${escaped(name)}`
      const branch = childrenOf(own).length > 0
      nodes.push({ id, name, depth, branch, value: preview(own), kind: kindOf(own) })
      if (branch && open.has(id)) walk(own, id, depth + 1)
    }
    if (all.length > MOST) {
      const value = `${all.length - MOST} more, in the JSON`
      nodes.push({ id: `${path}/…`, name: '…', depth, branch: false, value, kind: 'more' })
    }
  }
  walk(bundle, '', 1)
  return nodes
}

/** Place of each prompt part in its bundle, by the prefix of the part's id. */
const PLACES: ReadonlyArray<readonly [string, string]> = [
  ['title', 'step_name'],
  ['mission', 'context/mission'],
  ['schema', 'context/schema_excerpt'],
  ['guardrails', 'context/guardrails'],
  ['contracts', 'context/contracts'],
  ['grammar', 'context/grammar_name'],
  ['evaluation', 'context/evaluation_summary'],
  ['inputs', 'context/inputs_summary'],
  ['outcomes', 'context/recent_outcomes'],
  ['trends', 'context/trend_summary'],
  ['incidents', 'context/open_incidents'],
]

/** The line of the tree that a part of the prompt renders; null for frames without one. */
export function nodeOfPart(part: PromptPart): string | null {
  const dot = part.id.indexOf('.')
  const head = dot < 0 ? part.id : part.id.slice(0, dot)
  const rest = dot < 0 ? '' : part.id.slice(dot + 1)
  const place = PLACES.find(([name]) => name === head)?.[1]
  if (place === undefined) return null
  return rest === '' || rest === 'heading' || rest === 'none' ? place : `${place}/${escaped(rest)}`
}

/** Index of the part that renders a line of the tree or the nearest one above it; -1 = none does. */
export function partOfNode(parts: readonly PromptPart[], node: string): number {
  const places = parts.map(nodeOfPart)
  for (let id = node; id !== ''; id = id.slice(0, Math.max(0, id.lastIndexOf('/')))) {
    const exact = parts.findIndex((part, at) => places[at] === id && !part.id.endsWith('.heading'))
    const found = exact >= 0 ? exact : places.indexOf(id)
    if (found >= 0) return found
  }
  return -1
}

/** Branches above a line, to be opened so that it is in sight. */
export function branchesAbove(node: string): readonly string[] {
  const names = node.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Open when a bundle is first seen. */
export const FIRST_OPEN: readonly string[] = [
  'context',
  'context/inputs_summary',
  'context/evaluation_summary',
]
