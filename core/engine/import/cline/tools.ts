/** [I17] Tools that older models of Cline and Roo called in XML inside their text. */
const TOOLS = [
  'execute_command',
  'read_file',
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
  'edit_file',
  'search_files',
  'list_files',
  'list_code_definition_names',
  'codebase_search',
  'browser_action',
  'use_mcp_tool',
  'access_mcp_resource',
  'ask_followup_question',
  'attempt_completion',
  'plan_mode_respond',
  'new_task',
  'condense',
  'summarize_task',
  'report_bug',
  'new_rule',
  'load_mcp_documentation',
  'fetch_instructions',
  'switch_mode',
  'update_todo_list',
  'run_slash_command',
  'generate_image',
  'generate_explanation',
  'web_fetch',
  'web_search',
  'use_skill',
]

/** A part of an agent's text. */
export type SaidPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: Readonly<Record<string, string>>
    }

const OPENERS = new RegExp(`<(thinking|${TOOLS.join('|')})>`, 'g')
const MAX_PARAMS = 20

/**
 * Splits an agent's text into texts, thoughts and calls, in order. A tag that is not closed is
 * text. Linear: a closer that was not found once is not looked for again.
 */
export function splitAgentText(text: string): readonly SaidPart[] {
  const parts: SaidPart[] = []
  const open = new Set<string>()
  let at = 0
  const speak = (end: number): void => {
    const words = text.slice(at, end).trim()
    if (words !== '') parts.push({ kind: 'text', text: words })
  }
  OPENERS.lastIndex = 0
  for (const match of text.matchAll(OPENERS)) {
    const name = match[1] ?? ''
    if (match.index < at || open.has(name)) continue
    const from = match.index + match[0].length
    const close = text.indexOf(`</${name}>`, from)
    if (close < 0) {
      open.add(name)
      continue
    }
    speak(match.index)
    const inner = text.slice(from, close)
    if (name === 'thinking') parts.push({ kind: 'reasoning', text: inner.trim() })
    else parts.push({ kind: 'call', name, args: paramsOf(inner) })
    at = close + name.length + 3
  }
  speak(text.length)
  return parts
}

const PARAM = /<([a-z_]{1,40})>/g

/** Parameters by name; the value of the last one that is not closed reaches to the end. */
function paramsOf(inner: string): Readonly<Record<string, string>> {
  const entries: Array<[string, string]> = []
  let at = 0
  for (const match of inner.matchAll(PARAM)) {
    if (match.index < at) continue
    if (entries.length >= MAX_PARAMS) break
    const name = match[1] ?? ''
    const from = match.index + match[0].length
    // A file's text may contain the same closing tag, so the entry ends at the last one.
    const holdsText = name === 'content' || name === 'diff'
    const closer = `</${name}>`
    const close = holdsText ? inner.lastIndexOf(closer) : inner.indexOf(closer, from)
    const end = close < from ? inner.length : close
    entries.push([name, inner.slice(from, end).replace(/^\n/, '').replace(/\n$/, '')])
    at = end + closer.length
  }
  return Object.fromEntries(entries)
}

/** A part of a text under the user's role. */
export type UserPart =
  | { readonly kind: 'typed' | 'text' | 'environment'; readonly text: string }
  | { readonly kind: 'result'; readonly name: string; readonly text: string }

/** Tags around text that the user typed. */
const TYPED = ['task', 'feedback', 'user_message', 'answer', 'user_feedback']
const ENVIRONMENT = 'environment_details'
const HEADER = /^\[([a-z_]{1,60})(?: for [^\n]{0,2000}?)?\] Result:[ \t]*\n?/

/** Whether a text begins as the result of a tool: `[read_file for 'x'] Result:`. */
export function isResultHeader(text: string): boolean {
  return HEADER.test(text)
}

/** [I17] Splits a text of the user role into environment, results, and the text typed in them. */
export function splitUserText(text: string): readonly UserPart[] {
  const { rest, environment } = cutEnvironment(text)
  const parts: UserPart[] = []
  const header = HEADER.exec(rest)
  const body = header === null ? rest : rest.slice(header[0].length)
  const { outside, typed } = cutTyped(body)
  if (header !== null) parts.push({ kind: 'result', name: header[1] ?? '', text: outside })
  else if (outside !== '') parts.push({ kind: 'text', text: outside })
  for (const words of typed) parts.push({ kind: 'typed', text: words })
  for (const words of environment) parts.push({ kind: 'environment', text: words })
  return parts
}

function cutEnvironment(text: string): {
  readonly rest: string
  readonly environment: readonly string[]
} {
  const open = `<${ENVIRONMENT}>`
  const closer = `</${ENVIRONMENT}>`
  const environment: string[] = []
  const kept: string[] = []
  let at = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const close = text.indexOf(closer, start)
    const end = close < 0 ? text.length : close + closer.length
    kept.push(text.slice(at, start))
    environment.push(text.slice(start, end))
    at = end
  }
  kept.push(text.slice(at))
  return { rest: kept.join('').trim(), environment }
}

/** The user typed the text inside one of these tags. Text around it comes from the harness. */
function cutTyped(body: string): { readonly outside: string; readonly typed: readonly string[] } {
  for (const tag of TYPED) {
    const open = body.indexOf(`<${tag}>`)
    const close = open < 0 ? -1 : body.lastIndexOf(`</${tag}>`)
    if (close < open) continue
    if (open < 0) continue
    const words = body.slice(open + tag.length + 2, close).trim()
    const outside = `${body.slice(0, open)}${body.slice(close + tag.length + 3)}`.trim()
    return { outside, typed: words === '' ? [] : [words] }
  }
  return { outside: body.trim(), typed: [] }
}
