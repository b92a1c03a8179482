import { jsonIn } from './call-parts.ts'
import type { Message } from './message-fields.ts'
import { pythonLiteral } from './python-literal.ts'

/** The value that a text represents: JSON, or the form that Python prints (I114). Undefined if it is neither. */
export function valueIn(text: string): unknown {
  return jsonIn(text) ?? pythonLiteral(text)
}

/** A Python object as its `repr` says it (agno): `role='user' content='…' name=None …`. */
const REPR = /^role=(['"])(\w+)\1 content=(?:None|(['"])([\s\S]*?)\3)(?= \w+=|$)/
/** A message as LlamaIndex prints it: `user: What grows here?`. */
const PRINTED = /^(system|user|assistant|tool): ([\s\S]*)$/

/** [I114] A message of a list that was logged as one text; null when the text is something else. */
export function loggedMessage(text: string): Message | null {
  const repr = REPR.exec(text)
  if (repr !== null) {
    const content = repr[4]?.replaceAll('\\n', '\n').replaceAll(/\\(['"\\])/g, '$1')
    return { role: repr[2] ?? '', fields: { content } }
  }
  const printed = PRINTED.exec(text)
  return printed === null ? null : { role: printed[1] ?? '', fields: { content: printed[2] } }
}

/** Beginning of a text that is a whole list of messages: `system: …⏎user: …`. */
const BEGINS = /^(system|developer|user): /
const TURN = /^(system|developer|user|assistant|tool): /

/**
 * [I114] The messages of a list that an instrumentation wrote as one text, with a line `role: ` for each (OpenLIT, so
 * AutoGen and agno). Null if the text does not begin with such a line. Two lines of one role are one message, and a
 * system prompt occurs only at the beginning. The reason: words of a text may look like a role, such as `user: admin`
 * in a configuration. Python prints `None` for no words.
 */
export function spokenText(text: string): readonly Message[] | null {
  if (!BEGINS.test(text)) return null
  const turns: Array<{ readonly role: string; readonly lines: string[] }> = []
  for (const line of text.split('\n')) {
    const role = TURN.exec(line)?.[1]
    const before = turns.at(-1)
    if (before !== undefined && (role === undefined || !begins(role, before.role)))
      before.lines.push(line)
    else turns.push({ role: role ?? '', lines: [line.replace(TURN, '')] })
  }
  return turns
    .map(({ role, lines }) => ({ role, fields: { content: lines.join('\n') } }))
    .filter(({ fields }) => fields.content !== 'None')
}

const FIRST: readonly string[] = ['system', 'developer']

function begins(role: string, before: string): boolean {
  return role !== before && (!FIRST.includes(role) || FIRST.includes(before))
}
