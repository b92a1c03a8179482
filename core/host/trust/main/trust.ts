import { join } from 'node:path'
import type { TrustItem, TrustState } from '../../../engine/schema/trust.ts'
import { identityOf, itemOfCoach, itemOfEmbedder, namesCoach } from '../../../engine/trust/items.ts'
import type { HostEvent } from '../../../wire/contract.ts'
import type { Settings } from '../../../wire/shapes.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { notice } from '../../platform/terminal.ts'
import { namedBy, trustState } from '../named.ts'
import { changeTrust } from '../../platform/trust/trust-file.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import { type StateStore, openStateStore } from '../../settings/main/state-store.ts'

interface Around {
  readonly workspace: Workspace
  readonly state: StateStore
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly push: (event: HostEvent) => void
}

/** Trust in the workspace of a host, for all its windows. */
interface TrustPart {
  readonly handlers: MainHandlersOf<'trust'>
  /** [V36] The same store. Items entered through it count as named by the operator. */
  readonly state: StateStore
}

export function createTrustPart({ workspace, state, clock, push }: Around): TrustPart {
  const { trust, roots } = workspace
  const now = async (): Promise<TrustState> => trustState(trust, roots, await state.settings())
  const told = async (): Promise<TrustState> => {
    push({ kind: 'trust' })
    return now()
  }
  const allow = (items: readonly TrustItem[]) =>
    changeTrust(trust.place, clock(), (before) => unique([...before, ...items]))

  return {
    handlers: {
      'trust.state': now,
      'trust.grant': async ({ digest }) => {
        const { items, ...asked } = await now()
        if (asked.digest !== digest) throw changed(asked.path)
        await changeTrust(trust.place, clock(), () => items)
        return told()
      },
      'trust.revoke': async () => {
        await changeTrust(trust.place, clock(), () => null)
        return told()
      },
    },
    state: {
      ...state,
      // Only these two can name something that needs trust.
      change: (patch) =>
        patch.coach === undefined && patch.probe === undefined
          ? state.change(patch)
          : entering(() => state.change(patch)),
      changeProbe: (edit) => entering(() => state.changeProbe(edit)),
    },
  }

  /** [V36] Allows items that a change of the settings names for the first time. */
  async function entering<T>(work: () => Promise<T>): Promise<T> {
    const before = await now()
    const old = namedIn(await state.settings())
    const result = await work()
    const entered = namedIn(await state.settings()).filter((item) => !isIn(item, old))
    if (entered.length === 0) return result
    // A restricted workspace stays restricted: its question is one about everything it names.
    const isAsked = before.standing === 'restricted' || before.standing === 'own'
    // If it cannot be stored, the workspace becomes restricted, and the question states the reason.
    if (!isAsked && before.problem === null) await allow(entered).catch(() => undefined)
    push({ kind: 'trust' })
    return result
  }
}

function changed(where: string) {
  return refusal({
    what: 'the workspace names something else than what you read; nothing was allowed',
    where,
    do: 'Read the list again',
  })
}

/** Items named by the settings that need trust. */
function namedIn({ coach, probe }: Settings): readonly TrustItem[] {
  const embedders = Object.values(probe.embedders).map((config) => itemOfEmbedder(config))
  return namesCoach(coach) ? [...embedders, itemOfCoach(coach)] : embedders
}

const isIn = (item: TrustItem, items: readonly TrustItem[]) =>
  items.some((each) => identityOf(each) === identityOf(item))

function unique(items: readonly TrustItem[]): readonly TrustItem[] {
  return [...new Map(items.map((item) => [identityOf(item), item])).values()]
}

/** [V38] Items that a workspace names now. Items that it names later need a new decision. */
export async function itemsNow(workspace: string, shipped: string): Promise<readonly TrustItem[]> {
  const settings = await openStateStore(join(workspace, '.turnscope'), notice).settings()
  const { items } = await namedBy([workspace, shipped], settings)
  return items.map(({ kind, by, address, variables }) => ({ kind, by, address, variables }))
}
