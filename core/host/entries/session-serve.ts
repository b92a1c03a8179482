import { type Port, serve } from '../../wire/rpc.ts'
import { sessionContract, type ThreadData } from '../../wire/threads.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { AskedRights } from '../threads/asked-rights.ts'
import { createSessionHandlers } from './session-handlers.ts'
import { createPriority } from '../platform/threads/priority.ts'

/** Answers for sessions and the workspace on a port. @param rights left out: it has those of the program */
export function serveSessions(
  port: Port,
  { workspace, shipped, trust }: Pick<ThreadData, 'workspace' | 'shipped' | 'trust'>,
  rights: AskedRights | undefined,
): void {
  const priority = createPriority()
  const handlers = createSessionHandlers(
    openWorkspace(workspace, shipped, trust, rights?.workspace),
    priority,
  )
  serve(sessionContract, priority.first(handlers), port)
}
