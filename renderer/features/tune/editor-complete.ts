import { ownOf } from '../../../core/engine/schema/own.ts'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Text } from '@codemirror/state'

interface Key {
  readonly name: string
  readonly about: string
  /** Text inserted after the key. */
  readonly then?: string
}

/** Keys of a domain file, by the list that contains them (`core/engine/schema/domain.ts`). */
const KEYS: Readonly<Record<Level, readonly Key[]>> = {
  file: [
    { name: 'name', about: 'of the file' },
    { name: 'description', about: 'for people' },
    { name: 'domains', about: 'the list of domains', then: ':\n  - name: ' },
  ],
  domain: [
    { name: 'name', about: 'of the domain' },
    { name: 'priority', about: 'the smaller one wins a tie' },
    { name: 'brief_description', about: 'line for a secondary domain' },
    { name: 'enrichment_template', about: 'text for a primary domain', then: ': |-\n      ' },
    { name: 'breakMinSignals', about: 'least score that breaks momentum; null = never' },
    { name: 'minSignals', about: 'least signals to be primary' },
    { name: 'aliases', about: 'other names', then: ': []' },
    { name: 'signals', about: 'the list of patterns', then: ':\n      - id: ' },
  ],
  signal: [
    { name: 'id', about: 'names the signal' },
    { name: 'pattern', about: 'what is looked for', then: ": ''" },
    { name: 'dialect', about: 'python (as is), js, keyword or glob' },
    { name: 'weight', about: 'what a match counts; 1 where it is left out' },
    { name: 'excludes', about: 'a match takes the domain out of the turn' },
    { name: 'flags', about: 'of a js pattern' },
    { name: 'note', about: 'for people' },
  ],
}
type Level = 'file' | 'domain' | 'signal'

const VALUES: Readonly<Record<string, readonly string[]>> = {
  dialect: ['python', 'js', 'keyword', 'glob'],
  excludes: ['true'],
  breakMinSignals: ['null', '1', '2', '3'],
  minSignals: ['1', '2', '3'],
}

const INDENT = /^(\s*)(- )?/u

/** The list that contains a line, from its indentation and the keys above it. */
function levelAt(doc: Text, lineNumber: number): Level {
  let indent = indentOf(doc.line(lineNumber).text)
  if (indent === 0) return 'file'
  for (let at = lineNumber - 1; at >= 1; at -= 1) {
    const { text } = doc.line(at)
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue
    const above = indentOf(text)
    const parent = /^\s*(?:- )?(signals|domains)\s*:/u.exec(text)
    // A list may have the same indentation as its key.
    if (parent && text.search(/\S/u) < indent) return parent[1] === 'signals' ? 'signal' : 'domain'
    indent = Math.min(indent, Math.max(above, 1))
  }
  return 'domain'
}

/** Column of the keys in the line's list. */
function indentOf(text: string): number {
  return INDENT.exec(text)?.[0].length ?? 0
}

/** Completes keys at key positions, and known values: dialects, names of domains. */
export function completeYaml(names: () => readonly string[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const value = /^\s*(?:- )?([\w$]+):\s+(?:\[.*)?([\w-]*)$/u.exec(before)
    if (value) return valuesOf(context, value, names)
    const key = /^\s*(?:- )?([\w$]*)$/u.exec(before)
    if (!key || (!context.explicit && key[1] === '')) return null
    return {
      from: context.pos - (key[1]?.length ?? 0),
      options: KEYS[levelAt(context.state.doc, line.number)].map(keyOption),
      validFor: /^\w*$/u,
    }
  }
}

function keyOption({ name, about, then = ': ' }: Key): Completion {
  return { label: name, detail: about, apply: `${name}${then}`, type: 'property' }
}

function valuesOf(
  context: CompletionContext,
  [, key = '', typed = '']: RegExpExecArray,
  names: () => readonly string[],
): CompletionResult | null {
  const options = key === 'aliases' || key === 'name' ? names() : ownOf(VALUES, key)
  if (!options || (key === 'name' && !context.explicit)) return null
  return {
    from: context.pos - typed.length,
    options: options.map((label) => ({ label })),
    validFor: /^[\w-]*$/u,
  }
}
