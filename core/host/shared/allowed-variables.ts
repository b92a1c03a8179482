import { ownOf } from '../../engine/schema/own.ts'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { type Problem, type Result, err, ok } from '../../engine/result.ts'
import { readTextSync } from '../files/regular-file.ts'
import { LOOPBACK } from './guarded-fetch.ts'
import { jsonAs } from './json.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Pairs for one run: `NAME@https://host[:port]`, several with commas between. */
const ALLOW_ENV = 'TURNSCOPE_ALLOW_ENV'

/**
 * What the person allowed, kept with the person's own settings. Not in `.turnscope`: that folder lies in
 * the workspace, so whoever made the workspace can have written it.
 */
const TrustFile = z.object({
  version: z.literal(1),
  variables: z.array(z.object({ name: z.string(), address: z.string() })),
})

/**
 * [D62] The value of an environment variable that a workspace wants to have sent to an address. Null
 * where the variable is not set.
 * @param where what asks for it
 */
export function valueForAddress(
  name: string,
  address: string,
  { env, where }: { readonly env: Env; readonly where: string },
): Result<string | null> {
  const { origin, protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    return err(unencrypted(name, origin, where))
  if (!isAllowed(name, origin, env)) return err(notAllowed(name, origin, where))
  const value = ownOf(env, name) ?? ''
  return ok(value === '' ? null : value)
}

function unencrypted(name: string, origin: string, where: string): Problem {
  const what = `the environment variable ${name} would go over the network unencrypted, to ${origin}`
  return { what, where, do: 'Use an https address' }
}

function notAllowed(name: string, origin: string, where: string): Problem {
  return {
    what: `the environment variable ${name} would be sent to ${origin}, which you have not allowed`,
    where,
    do: `If you trust that address with it, start Turnscope with ${ALLOW_ENV}=${name}@${origin}`,
  }
}

/** A pair is allowed as a whole: there are no patterns, neither for names nor for addresses. */
function isAllowed(name: string, origin: string, env: Env): boolean {
  const named = (env[ALLOW_ENV] ?? '').split(',').map((pair) => {
    const [variable = '', ...address] = pair.trim().split('@')
    return { name: variable, address: address.join('@') }
  })
  return [...named, ...keptPairs(env)].some(
    (pair) => pair.name === name && URL.parse(pair.address)?.origin === origin,
  )
}

/** Of the person's own file; read each time, so that what was withdrawn is withdrawn at once. */
function keptPairs(env: Env): z.infer<typeof TrustFile>['variables'] {
  const folder = configFolder(env)
  if (folder === null) return []
  try {
    const text = readTextSync(join(folder, 'turnscope', 'trust.json'))
    return jsonAs(TrustFile, text)?.variables ?? []
  } catch {
    // None was written, or it cannot be read: then nothing is allowed by it.
    return []
  }
}

function configFolder({ XDG_CONFIG_HOME, APPDATA, HOME }: Env): string | null {
  const own = HOME === undefined ? undefined : join(HOME, '.config')
  const folders = [XDG_CONFIG_HOME, APPDATA, own]
  return folders.find((folder) => folder !== undefined && isAbsolute(folder)) ?? null
}
