import { z } from 'zod'
import type { CoachKeyState, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { COACH_VARIABLE, PROVIDER_VARIABLES, itemOfCoach } from '../../../engine/trust/items.ts'
import { jsonAs } from '../../platform/json.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { type Permit, type TrustGate, valueFor } from '../../platform/trust/gate.ts'

/** Keeps one secret text. Electron's keychain implements it outside core; a file does elsewhere. */
export interface KeyVault {
  readonly from: 'keychain' | 'file'
  /** Name or path as people know it, and why nothing can be kept there (null = it can). */
  check(): Promise<{ readonly where: string | null; readonly why: string | null }>
  read(): Promise<string | null>
  /** Why a stored key is not used, and the remedy; null if no such key exists. */
  problem?(): Promise<string | null>
  /** Null forgets. */
  write(secret: string | null): Promise<void>
}

/** A kept key belongs to the address that it was entered for. */
const Kept = z.object({ key: z.string(), origin: z.string() })

export interface CoachKeys {
  state(settings: CoachSettings): Promise<CoachKeyState>
  set(settings: CoachSettings, key: string | null): Promise<CoachKeyState>
  /** The key that may go to this address, or null. */
  keyFor(settings: CoachSettings): Promise<string | null>
}

interface Found {
  readonly key: string
  readonly from: CoachKeyState['from']
  readonly where: string | null
}

/**
 * [V19] The key: `TURNSCOPE_COACH_KEY`, else the provider's own variable, else the vault. Both variables may go to the
 * provider's own address or this machine; the first also to a different address. If the gate refuses the address
 * ([V35]), no variable is read and no key is sent. A stored key goes only to the address it was entered for, so that a
 * changed address never receives it by accident. No key goes over plain http to a different machine.
 */
export function createCoachKeys(
  vault: KeyVault,
  env: Readonly<Record<string, string | undefined>>,
  trust: TrustGate,
): CoachKeys {
  async function find(settings: CoachSettings): Promise<Found | { readonly why: string | null }> {
    const endpoint = endpointOf(settings)
    if (!endpoint.ok) return { why: endpoint.error.what }
    const permit = trust.may(itemOfCoach(settings), 'the coach')
    if (!permit.ok) return { why: `${permit.error.what}. ${permit.error.do}` }
    const found = inEnvironment(settings.provider, endpoint.value, { permit: permit.value, env })
    if (found !== null && 'key' in found) return found
    const kept = await keptFor(endpoint.value, vault)
    if (kept !== null) return kept
    return { why: (await vault.problem?.()) ?? found?.why ?? null }
  }

  async function state(settings: CoachSettings): Promise<CoachKeyState> {
    const { where, why } = await vault.check()
    const found = await find(settings)
    const canStore = why === null
    if ('key' in found) return { from: found.from, where: found.where, canStore, why }
    return { from: 'none', where, canStore, why: why ?? found.why }
  }

  return {
    state,
    set: async (settings, key) => {
      const { where, why } = await vault.check()
      if (why !== null && key !== null) {
        const variables = `${COACH_VARIABLE} or ${PROVIDER_VARIABLES[settings.provider]}`
        const advice = `Set ${variables} in the environment`
        throw refusal({ what: why, where: where ?? 'the key', do: advice })
      }
      const endpoint = endpointOf(settings)
      const origin = endpoint.ok ? endpoint.value.origin : ''
      await vault.write(key === null ? null : JSON.stringify({ key: key.trim(), origin }))
      return state(settings)
    },
    keyFor: async (settings) => {
      const found = await find(settings)
      return 'key' in found ? found.key : null
    },
  }
}

/** The key in the vault. Null if it has none; `why` if the key must not go to this address. */
async function keptFor(
  { origin, loopback }: Endpoint,
  vault: KeyVault,
): Promise<Found | { readonly why: string } | null> {
  const { where, why } = await vault.check()
  const text = why === null ? await vault.read() : null
  const kept = text === null ? null : jsonAs(Kept, text)
  if (kept === null) return null
  if (!loopback && !origin.startsWith('https:'))
    return { why: `the kept key would go over the network unencrypted, to ${origin}` }
  if (kept.origin === origin) return { key: kept.key, from: vault.from, where }
  return { why: `the kept key is for ${kept.origin}, not for ${origin}` }
}

interface Reading {
  readonly permit: Permit
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Null if the environment has no key; `why` if its key must not go to this address. */
function inEnvironment(
  provider: CoachSettings['provider'],
  { own, loopback, origin }: Endpoint,
  { permit, env }: Reading,
): Found | { readonly why: string } | null {
  const read = (name: string) => valueFor(permit, name, { env, where: 'the coach' })
  const any = read(COACH_VARIABLE)
  if (!any.ok) return { why: `${any.error.what}. ${any.error.do}` }
  const key = any.value?.trim() ?? ''
  if (key !== '') return { key, from: 'environment', where: COACH_VARIABLE }
  const where = PROVIDER_VARIABLES[provider]
  const provided = read(where)
  const providers = provided.ok ? (provided.value?.trim() ?? '') : ''
  if (providers === '') return null
  if (own || loopback) return { key: providers, from: 'environment', where }
  return { why: `${where} goes to the provider only; for ${origin} set ${COACH_VARIABLE}` }
}
