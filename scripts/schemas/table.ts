import type { z } from 'zod'
import {
  OutcomeFileWritten,
  RunHistoryLine,
  WatcherFailureLine,
} from '../../core/engine/schema/track2.ts'
import { StepAwarenessBundle, StepRecord } from '../../core/engine/schema/bundle.ts'
import { PriceFile } from '../../core/engine/context/prices.ts'
import { CoachSettings } from '../../core/engine/schema/coach-wire.ts'
import { CoachRules } from '../../core/engine/schema/coach.ts'
import { DomainFile } from '../../core/engine/schema/domain.ts'
import { FormatMap } from '../../core/engine/schema/format-map.ts'
import { LabelLine } from '../../core/engine/schema/label.ts'
import { Preset } from '../../core/engine/schema/preset.ts'
import { ProbeSettings } from '../../core/engine/schema/probe-settings.ts'
import { CollectionsFile, Persona, ProbeQuery } from '../../core/engine/schema/probe.ts'
import { ModelProfile } from '../../core/engine/schema/profile.ts'
import { SkillRulesFile } from '../../core/engine/schema/skill-rules.ts'
import { AgentManifest, ContractList, StepData } from '../../core/engine/schema/step-data.ts'
import { Tour } from '../../core/engine/schema/tour.ts'
import { TurnTrace } from '../../core/engine/schema/trace.ts'
import { EventLine, SessionHeader } from '../../core/engine/session-file.ts'
import type { SchemaName } from '../../core/host/workspace/schema-files.ts'
import { Settings } from '../../core/wire/settings.ts'
import { Policy } from '../../electron/updates/policy.ts'
import type { Words } from './annotate.ts'
import { COACH_WORDS } from './words/coach.ts'
import { DOMAIN_WORDS } from './words/domains.ts'
import { FORMAT_WORDS } from './words/format-map.ts'
import { LABEL_WORDS } from './words/label.ts'
import { PRESET_WORDS } from './words/preset.ts'
import { COLLECTIONS_WORDS, PERSONA_WORDS, QUERY_WORDS } from './words/probe.ts'
import { PRICE_WORDS } from './words/prices.ts'
import { PROFILE_WORDS } from './words/profile.ts'
import { EVENT_WORDS, HEADER_WORDS } from './words/session.ts'
import {
  COACH_SETTINGS_WORDS,
  POLICY_WORDS,
  PROBE_SETTINGS_WORDS,
  VIEW_WORDS,
} from './words/settings.ts'
import { SKILL_RULES_WORDS } from './words/skill-rules.ts'
import { CONTRACT_WORDS, MANIFEST_WORDS, STEP_WORDS } from './words/steps.ts'
import { TOUR_WORDS } from './words/tour.ts'

interface Described {
  /** The zod schema with which the file is parsed. */
  readonly schema: z.ZodType
  readonly words: Words
}

/** Nothing is said of the fields of what programs write. */
const MACHINE: Words = {}

/** [F185] Zod schema and descriptions from which each schema of `schemas/` is made. */
export const DESCRIBED: Readonly<Record<SchemaName, Described>> = {
  domains: { schema: DomainFile, words: DOMAIN_WORDS },
  preset: { schema: Preset, words: PRESET_WORDS },
  'model-profile': { schema: ModelProfile, words: PROFILE_WORDS },
  prices: { schema: PriceFile, words: PRICE_WORDS },
  'format-map': { schema: FormatMap, words: FORMAT_WORDS },
  label: { schema: LabelLine, words: LABEL_WORDS },
  collections: { schema: CollectionsFile, words: COLLECTIONS_WORDS },
  persona: { schema: Persona, words: PERSONA_WORDS },
  'probe-query': { schema: ProbeQuery, words: QUERY_WORDS },
  'coach-rules': { schema: CoachRules, words: COACH_WORDS },
  'step-data': { schema: StepData, words: STEP_WORDS },
  contracts: { schema: ContractList, words: CONTRACT_WORDS },
  tour: { schema: Tour, words: TOUR_WORDS },
  'skill-rules': { schema: SkillRulesFile, words: SKILL_RULES_WORDS },
  'settings-view': { schema: Settings.omit({ coach: true, probe: true }), words: VIEW_WORDS },
  'settings-coach': { schema: CoachSettings, words: COACH_SETTINGS_WORDS },
  'settings-probe': { schema: ProbeSettings, words: PROBE_SETTINGS_WORDS },
  policy: { schema: Policy, words: POLICY_WORDS },
  'agent-manifest': { schema: AgentManifest, words: MANIFEST_WORDS },
  'session-header': { schema: SessionHeader, words: HEADER_WORDS },
  'session-event': { schema: EventLine, words: EVENT_WORDS },
  'step-record': { schema: StepRecord, words: MACHINE },
  'step-bundle': { schema: StepAwarenessBundle, words: MACHINE },
  'run-history': { schema: RunHistoryLine, words: MACHINE },
  'watcher-failure': { schema: WatcherFailureLine, words: MACHINE },
  'outcome-summary': { schema: OutcomeFileWritten, words: MACHINE },
  'turn-trace': { schema: TurnTrace, words: MACHINE },
}
