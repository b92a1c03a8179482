import type { z } from 'zod'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import { loadDomains } from '../../../engine/matcher/load-domains.ts'
import { fieldWords } from '../../../engine/schema/issue-words.ts'
import { DomainFile } from '../../../engine/schema/domain.ts'
import type { DraftProblem } from '../../../engine/schema/lab.ts'
import {
  type Extent,
  type Piece,
  extentAt,
  keyExtentAt,
  nodeAt,
  offsetInScalar,
} from './domain-nodes.ts'
import { type BlockCache, readPieces } from './domain-pieces.ts'
import { isSkillText, readSkillText } from './skill-text.ts'
import { type DomainText, type TextPlace, lineStarts, placeOf } from './text-places.ts'

/** Reads texts of domain files; unchanged parts of a text that was read before are not read again. */
export function readDomainText(text: string, cache: BlockCache): DomainText {
  return isSkillText(text) ? readSkillText(text) : readPlainText(text, cache)
}

function readPlainText(text: string, cache: BlockCache): DomainText {
  const { head, items, errors } = readPieces(text, cache)
  const lines = lineStarts(text)
  const at = (extent: Extent): TextPlace => placeOf(lines, extent)

  const pieceOf = (path: readonly PropertyKey[]): readonly [Piece, readonly PropertyKey[]] => {
    const [list, index, ...rest] = path
    const item = list === 'domains' && typeof index === 'number' ? items[index] : undefined
    return item === undefined ? [head, path] : [item, rest]
  }
  const placeAt = (path: readonly PropertyKey[]): TextPlace => at(extentAt(...pieceOf(path)))

  const value = errors.length === 0 ? valueOf(head, items) : null
  const checked = errors.length === 0 ? checkValue(value) : null
  const broken = errors.map((error) => ({ ...error, rule: 'syntax', path: null }))
  const problems = [...broken, ...(checked?.issues ?? [])].map((issue): DraftProblem => {
    const place = 'from' in issue ? at(issue) : issuePlace(issue, pieceOf, at)
    const { domain, signal } = ownerOf(issue.path ?? [], value)
    const advice = { what: issue.message, do: 'Correct the text' }
    return { severity: 'error', rule: issue.rule, ...advice, ...place, domain, signal }
  })
  return {
    text,
    fingerprint: fingerprintOf(text),
    value: checked?.file ?? null,
    problems,
    placeAt,
    skills: null,
    place: (domain, signal, column) => {
      const path = signal === undefined ? ['name'] : ['signals', signal]
      const item = items[domain]
      if (item === undefined) return placeAt(['domains'])
      const inner =
        signal !== undefined && isObject(nodeAt(item, path)) ? [...path, 'pattern'] : path
      if (column === undefined) return at(extentAt(item, inner))
      const node = nodeAt(item, inner)
      const from = offsetInScalar(text, node, { base: item.base, column })
      return at(from === null ? extentAt(item, inner) : { from, to: from + 1 })
    },
  }
}

const values = new WeakMap<object, unknown>()

function valueOf(head: Piece, items: readonly Piece[]): unknown {
  const top: unknown = head.node === null ? null : jsOf(head)
  if (typeof top !== 'object' || top === null || Array.isArray(top)) return top
  // Keeps the value in the file if it is not a list of items.
  if (items.length === 0) return top
  return { ...top, domains: items.map(jsOf) }
}

function jsOf(piece: Piece): unknown {
  const { node, document } = piece
  if (node === null) return null
  const known = values.get(node)
  if (known !== undefined) return known
  const value: unknown = node.toJS(document)
  values.set(node, value)
  return value
}

interface Issue {
  readonly rule: string
  readonly message: string
  readonly path: readonly PropertyKey[]
  /** A key that should not be there. */
  readonly key: string | null
}

function checkValue(value: unknown): {
  readonly file: DomainFile | null
  readonly issues: readonly Issue[]
} {
  const parsed = DomainFile.safeParse(value)
  if (!parsed.success) return { file: null, issues: parsed.error.issues.map(issueOf) }
  const loaded = loadDomains(parsed.data, 'domains')
  if (loaded.ok) return { file: loaded.value, issues: [] }
  // Two domains cannot mean one alias: the engine names the domain.
  const issues = loaded.error.map(({ what, where }) => {
    const index = parsed.data.domains.findIndex(({ name }) => where.includes(`domain "${name}"`))
    return { rule: 'schema', message: what, path: ['domains', index, 'aliases'], key: null }
  })
  return { file: null, issues }
}

function issueOf(issue: z.core.$ZodIssue): Issue {
  if (issue.code === 'unrecognized_keys') {
    const [key = null] = issue.keys
    const message = `"${key ?? ''}" is not a key of this place`
    return { rule: 'schema', message, path: issue.path, key }
  }
  if (issue.code === 'invalid_union') {
    // A signal is a text or a mapping. The mapping's problem is more specific.
    const inner = issue.errors.at(-1)?.[0]
    if (inner !== undefined) return issueOf({ ...inner, path: [...issue.path, ...inner.path] })
  }
  // The line says where; the field's own name is enough.
  const message = fieldWords({ ...issue, path: issue.path.slice(-1) }, 'the file')
  return { rule: 'schema', message, path: issue.path, key: null }
}

function issuePlace(
  { path, key }: Issue,
  pieceOf: (path: readonly PropertyKey[]) => readonly [Piece, readonly PropertyKey[]],
  at: (extent: Extent) => TextPlace,
): TextPlace {
  const [piece, rest] = pieceOf(path)
  return at(key === null ? extentAt(piece, rest) : keyExtentAt(piece, rest, key))
}

function ownerOf(
  path: readonly PropertyKey[],
  value: unknown,
): { readonly domain: string | null; readonly signal: number | null } {
  const [list, index, inner, signal] = path
  if (list !== 'domains' || typeof index !== 'number') return { domain: null, signal: null }
  const entry: unknown =
    isObject(value) && Array.isArray(value['domains']) ? value['domains'][index] : null
  const name = isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : null
  const own = inner === 'signals' && typeof signal === 'number' ? signal : null
  return { domain: name, signal: own }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
