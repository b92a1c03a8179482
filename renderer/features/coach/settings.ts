import type { CoachKeyState, CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { ready } from '../../app/async-data.ts'
import { judgeAgain } from '../../stores/coach/coach.ts'
import { patchCoach, coachPlace } from '../../stores/coach/store.ts'
import { host } from '../../app/host.ts'
import { createQuery } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'

/** Which model is asked, and where: never a mixture of what two windows chose. */
const ENDPOINT = ['mode', 'provider', 'baseUrl', 'model'] as const
const LIMITS = ['inputPrice', 'outputPrice', 'timeoutSeconds', 'rateLimit'] as const

/** [F18] Differences from the settings that the form began with. Another window may have changed the rest. */
export function changesOf(now: CoachSettings, before: CoachSettings): Partial<CoachSettings> {
  const isMoved = ENDPOINT.some((name) => now[name] !== before[name])
  const names = [
    ...(isMoved ? ENDPOINT : []),
    ...LIMITS.filter((each) => now[each] !== before[each]),
  ]
  return Object.fromEntries(names.map((name) => [name, now[name]]))
}

/** Stores the changed settings and keeps the others. Throws the host's refusal. */
export async function saveCoachSettings(now: CoachSettings, before: CoachSettings): Promise<void> {
  const stored = await host().call('settings.set', { coach: changesOf(now, before) })
  patchCoach({ settings: ready(stored.coach) })
  void judgeAgain()
}

const key = createQuery({ place: coachPlace('key') })

/** Loads the location of the key. The key itself never reaches the window. */
export async function loadKeyState(): Promise<void> {
  await key.ask(call('coach.key', {}, { where: 'The key' }))
}

/** Keeps a key, or forgets it (null). */
export async function setKey(next: string | null): Promise<CoachKeyState> {
  const state = await host().call('coach.setKey', { key: next })
  patchCoach({ key: ready(state) })
  return state
}

/** Result of one short test call with the stored settings. It sends no transcript. */
export type Tested = Answer<'coach.test'>

/** Settings as typed in the form. */
export type CoachForm = Readonly<
  { [K in keyof CoachSettings]: string } & Pick<CoachSettings, 'mode' | 'provider'>
>

export function formOf(settings: CoachSettings): CoachForm {
  const text = (value: number | string | null) => (value === null ? '' : String(value))
  return {
    mode: settings.mode,
    provider: settings.provider,
    baseUrl: text(settings.baseUrl),
    model: settings.model,
    maxCost: text(settings.maxCost),
    maxTokens: text(settings.maxTokens),
    inputPrice: text(settings.inputPrice),
    outputPrice: text(settings.outputPrice),
    timeoutSeconds: text(settings.timeoutSeconds),
    rateLimit: text(settings.rateLimit),
  }
}

type Problems = Partial<Record<keyof CoachForm, string>>

/** Parses the form into settings, or returns the problem of each invalid field. */
export function readForm(
  form: CoachForm,
): { readonly settings: CoachSettings } | { readonly problems: Problems } {
  const problems: Problems = {}
  const baseUrl = form.baseUrl.trim()
  const url = baseUrl === '' ? null : URL.parse(baseUrl)
  if (baseUrl !== '' && (url === null || !/^https?:$/u.test(url.protocol)))
    problems.baseUrl = 'An address begins with http:// or https://.'
  if (baseUrl === '' && form.provider === 'openai-compatible' && form.mode === 'model')
    problems.baseUrl = 'Needed here, for example http://127.0.0.1:11434/v1.'
  if (form.mode === 'model' && form.model.trim() === '')
    problems.model = 'Which model? For example the name that the server lists.'
  const price = (name: 'inputPrice' | 'outputPrice' | 'maxCost' | 'maxTokens') => {
    const text = form[name].trim()
    if (text === '') return null
    const value = Number(text)
    const isTokens = name === 'maxTokens'
    if (isTokens ? Number.isInteger(value) && value >= 1 : Number.isFinite(value) && value >= 0) {
      return value
    }
    problems[name] = isTokens ? 'A whole number, or nothing.' : 'A number of dollars, or nothing.'
    return null
  }
  const whole = (name: 'timeoutSeconds' | 'rateLimit', most: number) => {
    const value = Number(form[name])
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    problems[name] = `A whole number from 1 to ${most}.`
    return 1
  }
  const settings: CoachSettings = {
    mode: form.mode,
    provider: form.provider,
    baseUrl: baseUrl === '' ? null : baseUrl,
    model: form.model.trim(),
    inputPrice: price('inputPrice'),
    outputPrice: price('outputPrice'),
    timeoutSeconds: whole('timeoutSeconds', 600),
    rateLimit: whole('rateLimit', 10_000),
    maxCost: price('maxCost'),
    maxTokens: price('maxTokens'),
  }
  return Object.keys(problems).length === 0 ? { settings } : { problems }
}
