import { join } from 'node:path'
import type { TrustItem, TrustPlace, TrustState } from '../../engine/schema/trust.ts'
import { openStateStore } from '../../host/settings/main/state-store.ts'
import { openGate } from '../../host/platform/trust/gate.ts'
import { trustState } from '../../host/trust/named.ts'
import { trustPlace } from '../../host/platform/trust/place.ts'
import { notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { isPersonal } from '../../workspace-place.ts'

interface Given {
  readonly workspace: string
  readonly trust?: boolean | undefined
}

/**
 * The inputs of trust decisions in a command.
 * @param typed items that the operator typed on the command line, and thereby trusts
 */
export function placeOf({ workspace, trust }: Given, typed: readonly TrustItem[] = []): TrustPlace {
  const thisRun = trust === true ? 'all' : typed
  return trustPlace({
    workspace,
    shipped: HOME,
    env: process.env,
    thisRun,
    isOwn: isPersonal(workspace),
  })
}

/** The trust state of a workspace, and the items that it names. */
export async function stateOf(workspace: string): Promise<TrustState> {
  const settings = await openStateStore(join(workspace, '.turnscope'), notice).settings()
  return trustState(openGate(placeOf({ workspace })), [workspace, HOME], settings)
}
