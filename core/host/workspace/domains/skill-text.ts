import { brokenPattern } from '../../../engine/matcher/signal.ts'
import { fieldWords } from '../../../engine/schema/issue-words.ts'
import type { DraftProblem } from '../../../engine/schema/lab.ts'
import { SkillRulesFile } from '../../../engine/schema/skill-rules.ts'
import { type JsonPath, translateSkills } from '../../../engine/skills/translate.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import type { Extent } from './domain-nodes.ts'
import { type JsonNode, memberOf, nodeAtPath, readJsonTree, valueOfNode } from './json-tree.ts'
import {
  type DomainText,
  type SkillTree,
  type TextPlace,
  lineStarts,
  placeOf,
} from './text-places.ts'

const BEGIN = /^(?:[\s\uFEFF]|\/\/[^\n\r]*|\/\*[^]*?\*\/)*\{/u

/**
 * [K10] Whether a text is skill rules: an object with `skills` and without `domains`. Only these keys count, so that it
 * also works for incomplete text during typing.
 */
export function isSkillText(text: string): boolean {
  if (!BEGIN.test(text) || !/"skills"\s*:/u.test(text)) return false
  const { node } = readJsonTree(text)
  if (node === null) return !/"domains"\s*:/u.test(text)
  return memberOf(node, 'skills') !== null && memberOf(node, 'domains') === null
}

/** [K10] [K17] Reads skill rules; every problem has its place, comments and trailing commas are none. */
export function readSkillText(text: string): DomainText {
  const { node, errors } = readJsonTree(text)
  const starts = lineStarts(text)
  const at = (extent: Extent): TextPlace => placeOf(starts, extent)
  const checked = node === null ? null : SkillRulesFile.safeParse(valueOfNode(node))
  const translated = checked?.success === true ? translateSkills(checked.data) : null
  const tree = node !== null && translated !== null ? { root: node, translated } : null
  const problems: readonly DraftProblem[] = [
    ...errors.map(({ message, ...extent }) => problem('syntax', message, at(extent))),
    ...(checked?.error?.issues ?? []).map((issue) => {
      const path = deepest(issue)
      const where = node === null ? { from: 0, to: 0 } : extentOf(node, path)
      return { ...problem('schema', wordsOf(issue), at(where)), domain: skillOf(path) }
    }),
    ...(tree === null ? [] : brokenTriggers(text, tree, at)),
  ]
  const pathOf = (domain: number, signal?: number): JsonPath => {
    const places = translated?.places[domain]
    return (signal === undefined ? places?.path : places?.signals[signal]) ?? ['skills']
  }
  const placeOfPath = (path: readonly PropertyKey[]) =>
    at(node === null ? { from: 0, to: 0 } : extentOf(node, path))
  return {
    text,
    fingerprint: fingerprintOf(text),
    value: problems.length === 0 ? (translated?.file ?? null) : null,
    problems,
    skills: tree,
    placeAt: (path) => placeOfPath(ownPath(path, pathOf)),
    place: (domain, signal, column) => {
      const path = pathOf(domain, signal)
      const from =
        column === undefined || node === null ? null : offsetIn(text, node, { path, column })
      return from === null ? placeOfPath(path) : at({ from, to: from + 1 })
    },
  }
}

function problem(rule: string, what: string, place: TextPlace): DraftProblem {
  const nobody = { domain: null, signal: null }
  return { severity: 'error', rule, what, do: 'Correct the text', ...place, ...nobody }
}

/** A path in the value of a domain file as the path in the skill rules. */
function ownPath(
  path: readonly PropertyKey[],
  pathOf: (domain: number, signal?: number) => JsonPath,
): readonly PropertyKey[] {
  const [list, domain, key, signal] = path
  if (list !== 'domains' || typeof domain !== 'number') return path
  if (key === 'signals' && typeof signal === 'number') return pathOf(domain, signal)
  return key === undefined || key === 'name' ? pathOf(domain) : [...pathOf(domain), key]
}

/** A skill is shown by its name, anything else by its value. */
function extentOf(root: JsonNode, path: readonly PropertyKey[]): Extent {
  const { node } = nodeAtPath(root, path)
  if (node.kind !== 'object' || path.length === 0) return node
  const parent = nodeAtPath(root, path.slice(0, -1)).node
  return memberOf(parent, path.at(-1) ?? '')?.keyAt ?? node
}

type Issue = NonNullable<ReturnType<typeof SkillRulesFile.safeParse>['error']>['issues'][number]

/** The path of a problem. For a trigger that may be a text or an object, the path of the object's field. */
function deepest(issue: Issue): readonly PropertyKey[] {
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined
  return inner === undefined ? issue.path : [...issue.path, ...inner.path]
}

function wordsOf(issue: Issue): string {
  if (issue.code === 'invalid_key') return 'a skill\'s name may not be blank or contain "+"'
  const last = issue.path.findLast((step) => typeof step === 'string')
  if (issue.code === 'invalid_union' && last === 'priority')
    return '"priority" must be critical, high, medium or low, or a number: the published hooks show no skill of another one'
  return fieldWords({ ...issue, path: issue.path.slice(-1) }, 'the file')
}

function skillOf([skills, name]: readonly PropertyKey[]): string | null {
  return skills === 'skills' && typeof name === 'string' ? name : null
}

/** [K17] Patterns over the contents of files: no message is searched for them, and they must compile all the same. */
function brokenTriggers(
  text: string,
  { root, translated }: SkillTree,
  at: (extent: Extent) => TextPlace,
): readonly DraftProblem[] {
  return translated.contents.flatMap(({ skill, pattern, path }) => {
    const broken = brokenPattern(pattern)
    if (broken === null) return []
    const from = offsetIn(text, root, { path, column: broken.column })
    const place = at(from === null ? extentOf(root, path) : { from, to: from + 1 })
    return [{ ...problem('pattern', broken.what, place), domain: skill }]
  })
}

/** Offset of unit `column` (from 1) of a text, between its quotes. */
function offsetIn(
  text: string,
  root: JsonNode,
  { path, column }: { readonly path: JsonPath; readonly column: number },
): number | null {
  const { node, whole } = nodeAtPath(root, path)
  if (!whole || node.kind !== 'value' || text[node.from] !== '"') return null
  const units = text.slice(node.from + 1, node.to - 1).match(/\\(?:u[\da-f]{4}|[^])|[^]/giu) ?? []
  return units.slice(0, column - 1).reduce((sum, unit) => sum + unit.length, node.from + 1)
}
