import type { Head } from '../head.ts'
import { entryOf, isList, isObject } from '../shared/guards.ts'
import { nameStep } from './values.ts'

/** [I145] Field names used by other formats, in lower case, the most likely first. */
const NAMES = {
  role: [
    'role',
    'speaker',
    'from',
    'sender',
    'author',
    'who',
    'actor',
    'by',
    'type',
    'kind',
    'event',
  ],
  text: [
    'text',
    'content',
    'message',
    'body',
    'value',
    'said',
    'words',
    'utterance',
    'msg',
    'output',
    'input',
  ],
  time: ['timestamp', 'time', 'ts', 'created_at', 'createdat', 'date', 'at', 'when', 'datetime'],
  tool: ['tool', 'tool_name', 'toolname', 'function', 'function_name', 'action'],
  arguments: ['arguments', 'args', 'params', 'parameters', 'tool_input', 'toolinput'],
  result: ['result', 'tool_output', 'tooloutput', 'response', 'observation', 'returned'],
  call: ['call_id', 'callid', 'tool_call_id', 'toolcallid'],
  model: ['model', 'model_name', 'engine'],
} as const
type Name = keyof typeof NAMES

const SESSION = [
  'session_id',
  'sessionid',
  'session',
  'conversation_id',
  'conversationid',
  'conversation',
  'thread_id',
  'run_id',
  'chat_id',
  'id',
]

/** Roles that are mapped without asking. */
const KINDS: Readonly<Record<string, string>> = {
  ...of('user', 'human person customer client visitor shopper caller guest patient student you me'),
  ...of('agent', 'ai bot model agent llm gpt assistant_message bot_message reply'),
  ...of('tool_call', 'tool_call function_call tool_use action'),
  ...of('tool_result', 'tool_result tool_response function_result observation tool_output'),
}

function of(kind: string, words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, kind]))
}

/** Roles of chat messages need no row. */
const KNOWN = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function'])
const DEEPEST = 4
const MOST_ROLES = 20

/**
 * [I145] A mapping to begin with, as YAML: the paths that the names of fields suggest, the roles that
 * occur, and all other fields as comments. What could not be guessed is marked, to be filled in.
 */
export function startMapping(head: Head, label: string): string {
  const root = head.values.find((value) => isObject(value) || isList(value))
  const whole = isList(root) ? root : head.values
  const first = whole.find(isObject) ?? {}
  const list = recordsIn(first, '', 0)
  const records = (list?.items ?? whole).filter(isObject)
  const leaves = leavesOf(records.slice(0, 50))
  const found = fieldsIn(leaves)
  const outer = list === null ? leaves : leavesOf([first], 0)
  const session = bestOf(outer, SESSION)
  const used = new Set([...found.values(), ...(list === null && session !== null ? [session] : [])])
  const pathOf = (name: Name) => quoted(`@${found.get(name) ?? '.CHANGE_ME'}`)
  const others = OTHERS.filter((name) => found.has(name))
  return [
    '# A format of your own: paths say where things stand in your file.',
    '# $ is one line of the file, one item of its list, or the one object',
    '# that it is; @ is one record.',
    `label: ${quoted(label)}`,
    ...matchOf(first),
    `records: ${quoted(`$${list?.path ?? ''}`)}`,
    ...(session === null ? [] : [`session: ${quoted(`${list === null ? '@' : '$'}${session}`)}`]),
    'roles: # user, agent, system, tool_result, …, or skip',
    ...rolesText(rolesOf(records, found.get('role'))),
    'events:',
    `  - role: ${pathOf('role')}`,
    `    text: ${pathOf('text')}`,
    ...others.map((name) => `    ${name}: ${pathOf(name)}`),
    ...leaves
      .filter(({ path }) => !used.has(path))
      .slice(0, 30)
      .map(({ path }) => `    # also there: @${path}`),
    '',
  ].join('\n')
}

const OTHERS = ['time', 'tool', 'arguments', 'result', 'call', 'model'] as const

/** Paths of the fields whose names indicate their meaning. */
function fieldsIn(leaves: readonly Leaf[]): ReadonlyMap<Name, string> {
  const found = new Map<Name, string>()
  for (const [name, words] of Object.entries(NAMES) as Array<[Name, readonly string[]]>) {
    const path = bestOf(leaves, words)
    if (path !== null) found.set(name, path)
  }
  return found
}

interface Records {
  readonly path: string
  readonly items: readonly unknown[]
}

/** The first list of objects, from the outside in. */
function recordsIn(value: unknown, path: string, depth: number): Records | null {
  if (!isObject(value) || depth > DEEPEST) return null
  const members = Object.entries(value).slice(0, 200)
  for (const [name, member] of members) {
    if (isList(member) && member.some(isObject)) {
      const here = `${path}${nameStep(name)}[*]`
      const inner = recordsIn(member.find(isObject), here, depth + 1)
      // Only a list of conversations holds its records one level further in.
      if (
        inner !== null &&
        /^(?:messages|turns|events|history|log|steps)$/u.test(lastName(inner.path))
      )
        return inner
      return { path: here, items: member.filter(isObject) }
    }
  }
  for (const [name, member] of members) {
    const found = recordsIn(member, `${path}${nameStep(name)}`, depth + 1)
    if (found !== null) return found
  }
  return null
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1, -'[*]'.length)
}

interface Leaf {
  readonly path: string
  readonly name: string
  readonly value: unknown
}

/** Fields of records that are no objects, by their paths, the outer ones first. */
function leavesOf(records: readonly unknown[], deepest = 3): readonly Leaf[] {
  const found = new Map<string, Leaf>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (!isObject(value) || found.size > 200) return
    for (const [name, member] of Object.entries(value).slice(0, 200)) {
      const here = `${path}${nameStep(name)}`
      if (isObject(member) && depth < deepest) visit(member, here, depth + 1)
      else if (!found.has(here) && member !== null)
        found.set(here, { path: here, name: name.toLowerCase(), value: member })
    }
  }
  for (const record of records) visit(record, '', 0)
  return [...found.values()].toSorted((a, b) => depthOf(a) - depthOf(b))
}

const depthOf = ({ path }: Leaf) => path.split(/[.[]/u).length

function bestOf(leaves: readonly Leaf[], names: readonly string[]): string | null {
  for (const name of names) {
    const leaf = leaves.find((each) => each.name === name)
    if (leaf !== undefined) return leaf.path
  }
  return null
}

function rolesOf(records: readonly unknown[], path: string | undefined): readonly string[] {
  if (path === undefined) return []
  const roles = new Set<string>()
  for (const record of records.slice(0, 1000)) {
    const leaf = leavesOf([record]).find((each) => each.path === path)
    if (typeof leaf?.value === 'string' && leaf.value.length <= 60) roles.add(leaf.value)
    if (roles.size >= MOST_ROLES) break
  }
  return [...roles]
}

function rolesText(roles: readonly string[]): readonly string[] {
  const rows = roles
    .filter((role) => !KNOWN.has(role))
    .map((role) => {
      const kind = entryOf(KINDS, role.toLowerCase())
      return `  ${quoted(role)}: ${kind ?? 'meta # change me'}`
    })
  return rows.length === 0 ? ['  human: user'] : rows
}

/** Lines that identify the format: a field that names it, else the outer fields of the first record. */
function matchOf(first: Readonly<Record<string, unknown>>): readonly string[] {
  const naming = Object.entries(first).find(
    ([name, value]) =>
      /^(?:schema|format|version|log|app|source)$/iu.test(name) &&
      (typeof value === 'string' || typeof value === 'number') &&
      String(value).length <= 80,
  )
  const lines = ['match: # what shows the format: all of it holds for one $']
  if (naming !== undefined)
    return [
      ...lines,
      `  - path: ${quoted(`$${nameStep(naming[0])}`)}`,
      `    equals: ${typeof naming[1] === 'number' ? String(naming[1]) : quoted(String(naming[1]))}`,
    ]
  const names = Object.keys(first).slice(0, 3)
  if (names.length === 0) return []
  return [...lines, ...names.map((name) => `  - path: ${quoted(`$${nameStep(name)}`)}`)]
}

/** A text of YAML that means itself. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
