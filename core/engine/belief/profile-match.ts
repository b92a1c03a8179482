import type { ProfileAdvice } from '../schema/profile.ts'

/** A profile by the name of its file, and the model that it says it is for. */
export interface ProfileName {
  readonly name: string
  readonly model: string | null
}

const MOST_MODELS = 5
/** Model name used for answers that no model gave, such as a harness note or an error. */
const NO_MODEL = /^<.*>$/

/** Models of a session's events, the one with most events first. */
export function modelsOf(
  events: ReadonlyArray<{ readonly model: string | null }>,
): readonly string[] {
  const times = new Map<string, number>()
  for (const { model } of events)
    if (model !== null && !NO_MODEL.test(model)) times.set(model, (times.get(model) ?? 0) + 1)
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_MODELS)
    .map(([model]) => model)
}

/** `vendor/Qwen3 14B:latest` and `qwen3-14b` are one model. */
function keyOf(model: string): string {
  const bare = model.slice(model.lastIndexOf('/') + 1).replace(/:latest$/i, '')
  return bare
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/**
 * [F60] The profile for a model: by the model that the profile names or by its file name, without vendor,
 * in any case; else the longest of which the model is a variant (`qwen3-14b-instruct`). Null = none.
 */
export function matchProfile(model: string, profiles: readonly ProfileName[]): string | null {
  const wanted = keyOf(model)
  let best: { readonly name: string; readonly length: number } | null = null
  for (const { name, model: of } of profiles)
    for (const key of [keyOf(name), keyOf(of ?? '')]) {
      if (key === '') continue
      if (key === wanted) return name
      if (wanted.startsWith(`${key}-`) && key.length > (best?.length ?? 0))
        best = { name, length: key.length }
    }
  return best?.name ?? null
}

/** [F60] Whether the chosen profile is the one for the session's model. A session without one fits any. */
export function profileAdvice(
  models: readonly string[],
  profiles: readonly ProfileName[],
  chosen: string | null,
): ProfileAdvice {
  const [model] = models
  const own = model === undefined ? null : matchProfile(model, profiles)
  const current = profiles.find(({ name }) => name === chosen)
  if (chosen !== null && current === undefined) return { kind: 'missing', profile: own }
  if (model === undefined) return { kind: 'fits' }
  if (current === undefined)
    return own === null ? { kind: 'no_profile', model } : { kind: 'suggested', model, profile: own }
  const isFor = models.some((one) => matchProfile(one, [current]) !== null)
  return isFor ? { kind: 'fits' } : { kind: 'other_model', model, profile: own }
}
