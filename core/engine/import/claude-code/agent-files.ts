import type { Head } from '../head.ts'
import { textAt } from '../shared/guards.ts'
import type { Companion, CompanionTag } from '../source.ts'

/** An agent's file: `agent-<id>.jsonl`, beside the session or in its folder. */
const AGENT = /^(?:([^/]+)\/subagents\/)?agent-([^/]+)\.jsonl$/

/** [I56] Folders that may hold agents' files: next to the session, or the folder named after it. */
export function companionFolders(name: string): readonly string[] {
  return isSession(name) ? ['.', `${stemOf(name)}/subagents`] : []
}

/**
 * Sub-agents' files by their names: those in the session's folder, and, as older versions had it, all
 * beside it. Whose they are is said in them (`belongs`).
 */
export function companions(name: string, neighbours: readonly string[]): readonly string[] {
  if (!isSession(name)) return []
  const inside = `${stemOf(name)}/subagents/`
  // A folder may hold thousands of names, and each of its sessions looks at all of them.
  return neighbours.filter(
    (path) => (path.startsWith('agent-') || path.startsWith(inside)) && AGENT.test(path),
  )
}

/** [I101] The ids in the first record that carries one. */
export function tag(head: Head): CompanionTag {
  for (const value of head.objects) {
    const session = textAt(value, 'sessionId')
    const agent = textAt(value, 'agentId')
    if (session !== null || agent !== null) return { session, agent }
  }
  return { session: null, agent: null }
}

/** References from the records of a session to other sessions and agents. */
export interface SaidOf {
  /** Whether a record of the main thread carries this session id. */
  readonly session: (id: string) => boolean
  /** Whether a tool result or a progress record names this sub-agent. */
  readonly agent: (id: string) => boolean
}

/**
 * [I101] Whether an agent's file belongs to this session: it carries the session's id, or the session's calls name the
 * agent. A file without a session id belongs to the session of its folder.
 */
export function belongs({ path, session, agent }: Companion, said: SaidOf): boolean {
  const [, folder, named] = AGENT.exec(path) ?? []
  if (session === null && folder !== undefined) return true
  if (session !== null && (said.session(session) || session === folder)) return true
  const id = agent ?? named
  return id !== undefined && said.agent(id)
}

function isSession(name: string): boolean {
  return name.endsWith('.jsonl') && !AGENT.test(name)
}

function stemOf(name: string): string {
  return name.slice(0, -'.jsonl'.length)
}
