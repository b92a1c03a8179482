import { z } from 'zod'
import type { CoachKeyState, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { ok } from '../../../engine/result.ts'
import { valueForAddress } from '../../shared/allowed-variables.ts'
import { jsonAs } from '../../shared/json.ts'
import { refusal } from '../../shared/refusal.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'

/** Keeps one secret text. Electron's keychain implements it outside core; a file does elsewhere. */
export interface KeyVault {
  readonly from: 'keychain' | 'file'
  /** Name or path as people know it, and why nothing can be kept there (null = it can). */
  check(): Promise<{ readonly where: string | null; readonly why: string | null }>
  read(): Promise<string | null>
  /** Why a key that lies somewhere is not used, and what to do; null where there is no such key. */
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

const OWN_VARIABLE: Readonly<Record<CoachSettings['provider'], string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  'openai-compatible': 'OPENAI_API_KEY',
}
const ANY_VARIABLE = 'TURNSCOPE_COACH_KEY'

interface Found {
  readonly key: string
  readonly from: CoachKeyState['from']
  readonly where: string | null
}

/**
 * [V19] The key: `TURNSCOPE_COACH_KEY`, else the provider's own variable, else the vault. Both
 * variables go to the provider's own address or this machine; the first also to an address that the
 * person allowed ([D62]). A kept key goes only to the address that it was entered for: a changed address
 * never receives a key by accident. Nothing goes over plain http to another machine.
 */
export function createCoachKeys(
  vault: KeyVault,
  env: Readonly<Record<string, string | undefined>>,
): CoachKeys {
  async function find(settings: CoachSettings): Promise<Found | { readonly why: string | null }> {
    const endpoint = endpointOf(settings)
    if (!endpoint.ok) return { why: endpoint.error.what }
    const found = inEnvironment(settings.provider, endpoint.value, env)
    if (found !== null && 'key' in found) return found
    const { where, why } = await vault.check()
    const text = why === null ? await vault.read() : null
    const kept = text === null ? null : jsonAs(Kept, text)
    if (kept !== null) {
      const refused = refusedFor(kept, endpoint.value)
      return refused === null ? { key: kept.key, from: vault.from, where } : { why: refused }
    }
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
        const variables = `${ANY_VARIABLE} or ${OWN_VARIABLE[settings.provider]}`
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

/** Why a kept key must not go to this address; null where it may. */
function refusedFor(
  kept: Pick<z.infer<typeof Kept>, 'origin'>,
  { origin, loopback }: Endpoint,
): string | null {
  if (!loopback && !origin.startsWith('https:'))
    return `the kept key would go over the network unencrypted, to ${origin}`
  return kept.origin === origin ? null : `the kept key is for ${kept.origin}, not for ${origin}`
}

/** Null where the environment has no key; `why` where it has one that must not go to this address. */
function inEnvironment(
  provider: CoachSettings['provider'],
  { own, loopback, origin }: Endpoint,
  env: Readonly<Record<string, string | undefined>>,
): Found | { readonly why: string } | null {
  const any = env[ANY_VARIABLE]?.trim() ?? ''
  if (any !== '') {
    const to = own || loopback ? ok(any) : valueForAddress(ANY_VARIABLE, origin, { env, where: '' })
    if (!to.ok) return { why: `${to.error.what}. ${to.error.do}` }
    return { key: any, from: 'environment', where: ANY_VARIABLE }
  }
  const where = OWN_VARIABLE[provider]
  const key = env[where]?.trim() ?? ''
  if (key === '') return null
  if (own || loopback) return { key, from: 'environment', where }
  return { why: `${where} goes to the provider only; for ${origin} set ${ANY_VARIABLE}` }
}
