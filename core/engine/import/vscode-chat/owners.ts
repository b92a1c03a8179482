import { own, textAt } from '../shared/guards.ts'

interface Owners {
  /** The sub-agent that a part belongs to; parts of the chat itself are not here. */
  readonly of: ReadonlyMap<unknown, string>
  /** The part whose call started a sub-agent. */
  readonly starters: ReadonlyMap<string, unknown>
}

/** A sub-agent's parts name its id, which is that of the call that started it; older ones say only that they are one's. */
export function ownersOf(parts: readonly unknown[]): Owners {
  const of = new Map<unknown, string>()
  const starters = new Map<string, unknown>()
  let latest: string | null = null
  for (const part of parts) {
    const id = textAt(part, 'toolCallId')
    const given = textAt(part, 'subAgentInvocationId')
    const starts =
      own(own(part, 'toolSpecificData'), 'kind') === 'subagent' ||
      own(part, 'toolId') === 'runSubagent'
    if (starts) {
      latest = given ?? id
      if (id !== null) starters.set(id, part)
      if (given !== null && !starters.has(given)) starters.set(given, part)
      continue
    }
    const older = own(part, 'fromSubAgent') === true ? latest : null
    const agent = given ?? older
    if (agent !== null && agent !== id) of.set(part, agent)
  }
  return { of, starters }
}
