import { z } from 'zod'
import { parseJson } from '../../core/engine/result.ts'
import type { InstallPlace } from './owner.ts'

/** [F181] What whoever administers a machine says of updates; other fields are for other programs. */
export const Policy = z.looseObject({ updates: z.enum(['off', 'ask']) })

/** Where the policy lies. Only an administrator can write there. */
export function policyPath({ platform, env }: Pick<InstallPlace, 'platform' | 'env'>): string {
  if (platform === 'win32')
    return String.raw`${env['ProgramData'] ?? String.raw`C:\ProgramData`}\Turnscope\policy.json`
  if (platform === 'darwin') return '/Library/Application Support/Turnscope/policy.json'
  return '/etc/turnscope/policy.json'
}

/**
 * [F181] Why updates are off by policy, or null.
 * @param text of the policy file; null where there is none. One that cannot be read turns updates off: somebody
 *   wanted to say something.
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
