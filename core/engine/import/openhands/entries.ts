import type { EventKind } from '../../schema/event.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { entryOf, epoch, own, textAt } from '../shared/guards.ts'
import type { RawRecord } from '../source.ts'
import type { Run } from './run.ts'

/** What an agent's entry is, by type; a person's is a message or a command. */
const KINDS: Readonly<Record<string, EventKind>> = {
  message: 'agent',
  thought: 'reasoning',
  search: 'tool_call',
  command: 'tool_call',
  edit: 'tool_call',
  error: 'system',
}

/** [I22] An entry of the trajectory visualizer: `{type, content, actorType, command?}`. */
export function takeEntry(value: unknown, source: RawRecord['ref'], run: Run): void {
  const type = textAt(value, 'type') ?? 'untyped'
  const content = textAt(value, 'content')
  const command = textAt(value, 'command')
  const text = command ?? content
  if (text === null) {
    run.log.skip(`entry/${type} without content`)
    return
  }
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source }
  const actor = textAt(value, 'actorType') ?? ''
  const kind = command === null ? kindOf(type, actor) : kindOf('command', actor)
  if (kind === 'tool_call' && command !== null && content !== null)
    run.main.push(draft('agent', content, origin))
  const named = kind === 'meta' || kind === 'system' || kind === 'tool_call'
  run.main.push(draft(kind, text, origin, { name: named ? type : null }))
}

function kindOf(type: string, actor: string): EventKind {
  const kind = entryOf(KINDS, type) ?? 'meta'
  if (actor === 'User') return kind === 'tool_call' ? 'command' : 'user'
  return actor === 'System' || actor === 'Environment' ? 'system' : kind
}
