import type { Words } from '../annotate.ts'
import { KINDS } from './kinds.ts'

const SKIP = 'The record is counted and not shown.'
const VALUES = { ...KINDS, skip: SKIP }

/** As `parsePath` of core/engine/schema/map-path.ts reads it. */
const STEP = String.raw`\^|\.\*|\.[^.\[\]^*'" \t\n\r$@]+|\[\*\]|\[-?[0-9]{1,15}\]|\['[^']*'\]|\["[^"]*"\]`
const PATH = { type: 'string', maxLength: 300, pattern: `^[$@](?:${STEP}){0,24}$` } as const
/** A path, or several: read by code, which makes a list of a single one. */
const PATHS = { anyOf: [PATH, { type: 'array', items: PATH, minItems: 1, maxItems: 8 }] } as const
const SCALAR = {
  anyOf: [
    { type: 'string', maxLength: 1000 },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
  ],
} as const

const paths = (text: string, ...examples: readonly unknown[]) => ({
  text: `${text} A path, or a list of paths of which the first that finds something counts.`,
  schema: PATHS,
  ...(examples.length === 0 ? {} : { examples }),
})

const EVENTS = [
  {
    label: 'message',
    description: 'What somebody says',
    body: [{ role: '@.role', text: '@.content' }],
  },
  {
    label: 'tool call with its result',
    description: 'Parts of a record that are calls of tools',
    body: [
      {
        each: '@.calls[*]',
        tool: '@.name',
        arguments: '@.input',
        result: '@.output',
        call: '@.id',
      },
    ],
  },
]

export const FORMAT_WORDS: Words = {
  '': 'How a JSON transcript of your own is read: where its records stand and what their fields mean. Paths begin with $ (a line of the file, an item of its list, or the one object) or @ (the record). A path with @ needs quotes in YAML.',
  label: {
    text: 'Name of the format, as people see it. At most 80 characters.',
    examples: ['Shop assistant log'],
  },
  match:
    'What shows this format: all of it has to hold for one line, item or document. Left out, the format is used only where you choose it.',
  'match[].path': { text: 'Where to look, from $.', schema: PATH, examples: ['$.log'] },
  'match[].equals': {
    text: 'A value that has to stand there, or a list of values of which one has to. Left out, it is enough that the path finds something.',
    schema: { anyOf: [SCALAR, { type: 'array', items: SCALAR, minItems: 1, maxItems: 50 }] },
    examples: ['shop-bot/2', [1, 2]],
  },
  records: {
    text: 'Where the records are, from the line, item or document. `$` is that itself.',
    schema: { ...PATH, default: '$' },
    examples: ['$.turns[*]'],
  },
  session: paths(
    'Id of the session that a record belongs to. Left out, the records of one list are a session, and records that are lines are one.',
    '$.visit',
  ),
  parent: paths('Id of the session that started this one as a sub-agent.'),
  title: paths('Title of the session.', '$.subject'),
  roles: {
    text: 'What the values of `role` mean. user, assistant, system, developer and tool need no row; any other value without one is shown as `meta` under its name.',
    examples: [{ shopper: 'user', bot: 'agent', heartbeat: 'skip' }],
  },
  'roles{}': { text: 'What this role is.', values: VALUES },
  events: {
    text: 'What a record becomes: 1 to 20 entries, each of which makes events of the record or of its parts. An entry needs one of text, tool, arguments and result; a text also needs role or kind.',
    snippets: EVENTS,
  },
  'events[]': {
    also: {
      anyOf: ['text', 'tool', 'arguments', 'result'].map((field) => ({ required: [field] })),
      if: { required: ['text'] },
      then: { anyOf: [{ required: ['role'] }, { required: ['kind'] }] },
    },
  },
  'events[].each': {
    text: 'Parts of the record, each of which is @ for the paths beside it. Left out, @ is the record itself.',
    schema: PATH,
    examples: ['@.actions[*]'],
  },
  'events[].role': paths('Who speaks. Its values are looked up in `roles`.', '@.role'),
  'events[].kind': {
    text: 'What kind of event it is, where the role says nothing.',
    values: VALUES,
  },
  'events[].text': paths(
    'What is said. Content as the APIs write it keeps its tool calls and thoughts; several values are joined by line breaks.',
    '@.content',
  ),
  'events[].time': paths('When: an ISO time, or seconds or milliseconds since 1970.', '@.ts'),
  'events[].tool': paths('Name of the tool that is called, or whose result this is.', '@.name'),
  'events[].arguments': paths('What the tool is called with.', '@.input'),
  'events[].result': paths('What the tool answered.', '@.output'),
  'events[].error': paths(
    'Marks a failed result where it finds something other than false, null, 0 and "".',
    '@.failed',
  ),
  'events[].call': paths('Id that joins a call to its result.', '@.id'),
  'events[].name': paths('Name of who speaks.'),
  'events[].model': paths('Name of the model that speaks.', '@.model'),
}
