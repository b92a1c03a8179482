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
 * What decides about trust in a command.
 * @param typed what the person wrote on the command line, and so said already
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

/** How a workspace stands, and what it names. */
export async function stateOf(workspace: string): Promise<TrustState> {
  const settings = await openStateStore(join(workspace, '.turnscope'), notice).settings()
  return trustState(openGate(placeOf({ workspace })), [workspace, HOME], settings)
}
