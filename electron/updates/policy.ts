import { z } from 'zod'
import { parseJson } from '../../core/engine/result.ts'
import type { InstallPlace } from './owner.ts'

/** [F181] The machine administrator's policy for updates. Other fields belong to other programs. */
export const Policy = z.looseObject({ updates: z.enum(['off', 'ask']) })

/** Path of the policy file. Only an administrator can write there. */
export function policyPath({ platform, env }: Pick<InstallPlace, 'platform' | 'env'>): string {
  if (platform === 'win32')
    return String.raw`${env['ProgramData'] ?? String.raw`C:\ProgramData`}\Turnscope\policy.json`
  if (platform === 'darwin') return '/Library/Application Support/Turnscope/policy.json'
  return '/etc/turnscope/policy.json'
}

/**
 * [F181] The reason that a policy turns updates off, or null.
 * @param text of the policy file; null if none exists. An unreadable file turns updates off, because it shows that a
 * policy was intended.
 */
export function offByPolicy(text: string | null, path: string): string | null {
  if (text === null) return null
  const value = parseJson(text)
  const policy = value.ok ? Policy.safeParse(value.value) : null
  if (policy?.success !== true)
    return `the policy of this machine cannot be read (${path} has to say "updates": "off" or "ask")`
  return policy.data.updates === 'off'
    ? `switched off by the policy of this machine (${path})`
    : null
}
