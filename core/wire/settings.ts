import { z } from 'zod'
import { DEFAULT_COACH, DEFAULT_PROBE } from './defaults.ts'
import { CoachSettings } from '../engine/schema/coach-wire.ts'
import { ProbeSettings } from '../engine/schema/probe-settings.ts'

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  preset: z.string(),
  domains: z.string(),
  profile: z.string().nullable(),
  tourSeen: z.boolean(),
  /** [U210] Hooks of running agents are answered from here. Absent in settings written before. */
  answersHooks: z.boolean().default(false),
  /** [F154] Traces and logs are received. Absent in settings written before. */
  receivesTraces: z.boolean().default(false),
  /** Absent in settings written before the coach. */
  coach: CoachSettings.default(DEFAULT_COACH),
  /** Absent in settings written before the probe. */
  probe: ProbeSettings.default(DEFAULT_PROBE),
})
export type Settings = z.infer<typeof Settings>

/** Defaults before the operator has chosen any settings. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  preset: 'recommended',
  domains: 'default',
  profile: null,
  tourSeen: false,
  answersHooks: false,
  receivesTraces: false,
  coach: DEFAULT_COACH,
  probe: DEFAULT_PROBE,
}
