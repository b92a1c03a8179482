/** Why a text is no JSON, and where. Lines and columns count from 1. */
export interface JsonProblem {
  readonly what: string
  readonly line: number
  readonly column: number
}

export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem }

type State =
  'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'in-object' | 'in-list' | 'end'

/** Tokens allowed in each state: `s` a string, `v` another plain value, else the character itself. */
const ALLOWED: Readonly<Record<State, string>> = {
  value: 'sv{[',
  'first-value': 'sv{[]',
  key: 's',
  'first-key': 's}',
  colon: ':',
  'in-object': ',}',
  'in-list': ',]',
  end: '',
}

const BLANKS = /[ \t\r\n]*/uy
const TOKEN =
  /("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|[{}[\],:]/uy
const STRING_SO_FAR = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/**
 * Index of the first character that is invalid in its place; the text's length if it ends too early. Engines report
 * positions in different words or not at all, so the text is scanned again.
 */
function faultIn(text: string): number {
  const stack: string[] = []
  let state: State = 'value'
  const after = (): State =>
    stack.length === 0 ? 'end' : stack.at(-1) === '{' ? 'in-object' : 'in-list'
  for (let at = 0; ;) {
    at = skip(BLANKS, text, at)
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) return ALLOWED[state].includes('s') ? skip(STRING_SO_FAR, text, at) : at
    const [token, string, plain] = match
    const kind: string = string === undefined ? (plain === undefined ? token : 'v') : 's'
    if (!ALLOWED[state].includes(kind)) return at
    state = nextState(kind, state, stack) ?? after()
    at = TOKEN.lastIndex
  }
}

/** Null at the end of a value: the next token then depends on the enclosing container. */
function nextState(kind: string, state: State, stack: string[]): State | null {
  if (kind === '{' || kind === '[') {
    stack.push(kind)
    return kind === '{' ? 'first-key' : 'first-value'
  }
  if (kind === '}' || kind === ']') stack.pop()
  if (kind === ',') return state === 'in-object' ? 'key' : 'value'
  if (kind === ':') return 'value'
  return state === 'key' || state === 'first-key' ? (kind === 's' ? 'colon' : null) : null
}

/** Reads JSON. Reports an error with its line and column. */
export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    const at = faultIn(text)
    const before = text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    return { ok: false, problem: { what: whatAt(text, at), line: before.length, column } }
  }
}

function whatAt(text: string, at: number): string {
  if (text.trim() === '') return 'There is nothing here'
  const found = text[at]
  if (found === undefined) return 'The text ends too early'
  return found === '\n' ? 'The line ends too early' : `“${found}” cannot stand here`
}
