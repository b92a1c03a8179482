import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import type { TrustItem, TrustPlace } from '../../../engine/schema/trust.ts'
import { ownOf } from '../../../engine/schema/own.ts'
import { isAllowed, sentenceOf } from '../../../engine/trust/decide.ts'
import { itemOfGit } from '../../../engine/trust/items.ts'
import { LOOPBACK } from '../net/loopback-names.ts'
import { type Env, ALLOW_ENV } from './place.ts'
import { repositoryOf } from './repository.ts'
import { readTrust } from './trust-file.ts'

declare const PERMIT: unique symbol

/**
 * [V35] Says that one item may be used. Only the gate makes one: what connects to an address, loads a driver,
 * reads a variable that a workspace names or starts git takes a permit, so it cannot be called without one.
 */
export interface Permit {
  readonly [PERMIT]: true
  readonly item: TrustItem
}

/** An item that is disabled until the operator trusts the workspace with it. */
export type Restricted = Problem & { readonly kind: 'restricted' }

export function isRestricted(problem: Problem): problem is Restricted {
  return 'kind' in problem && problem.kind === 'restricted'
}

/** [V35] The one place that is asked whether something may happen. */
export interface TrustGate {
  readonly place: TrustPlace
  /** @param where the requester, named in the message to the operator */
  may(item: TrustItem, where: string): Result<Permit, Restricted>
  /** The same for git in the repository of a folder. Also a problem if there is no repository. */
  git(folder: string): Result<Permit>
}

/** The gate of a workspace. It reads the trust file again at every check. */
export function openGate(place: TrustPlace): TrustGate {
  const may: TrustGate['may'] = (item, where) => {
    const file = readTrust(place)
    const ownRepositories =
      item.kind === 'git' ? place.own.flatMap((own) => repositoryOf(own) ?? []) : []
    const grounds = { place, file: file.ok ? file.value : null, ownRepositories }
    if (!isAllowed(item, grounds))
      return err(file.ok ? restricted(item, where, place) : { ...file.error, kind: 'restricted' })
    // The only place that creates a permit.
    return ok({ item } as Permit)
  }
  return {
    place,
    may,
    git: (folder) => {
      const root = repositoryOf(folder)
      return root === null ? err(noRepository(folder)) : may(itemOfGit(root), folder)
    },
  }
}

/** [V30] The message for everything disabled, with the remedies. */
function restricted(item: TrustItem, where: string, { workspace }: TrustPlace): Restricted {
  const path = item.kind === 'git' ? item.address : workspace
  return {
    kind: 'restricted',
    what: `restricted, because you have not trusted this workspace with it: ${sentenceOf(item)}`,
    where,
    do: `See "Workspace trust" in the window or run: turnscope trust ${path}. For one run: --trust`,
  }
}

function noRepository(where: string): Problem {
  const what = 'this folder is not in a git repository that may be read'
  return { what, where, do: 'Compare files or presets instead of revisions' }
}

/**
 * [D62] The value of a variable that the permitted item names, to be sent to its address. Null if the variable is not
 * set. A problem if it would be sent unencrypted over the network.
 */
export function valueFor(
  { item }: Permit,
  name: string,
  { env, where }: { readonly env: Env; readonly where: string },
): Result<string | null> {
  if (!item.variables.includes(name)) {
    const what = `the environment variable ${name} is not one of those that you allowed for this`
    return err({ what, where, do: `Name it in the workspace, or in ${ALLOW_ENV}` })
  }
  const value = ownOf(env, name) ?? ''
  if (value === '') return ok(null)
  const url = URL.parse(item.address)
  if (url === null || url.protocol === 'https:' || LOOPBACK.test(url.hostname)) return ok(value)
  const what = `the environment variable ${name} would go over the network unencrypted, to ${url.origin}`
  return err({ what, where, do: 'Use an https address' })
}
