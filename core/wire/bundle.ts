import { z } from 'zod'
import { StepRecord } from '../engine/schema/bundle.ts'
import { BuiltStep, BundleChoice, BundleLibrary, StepBar } from '../engine/schema/bundle-wire.ts'
import { call } from './method.ts'
import { nothing, session } from './shapes.ts'

/** The bundle that a pipeline step passes to its model. */
export const bundleContract = {
  /** Every step event of a session; `words` say which tiers are cut and which really overflow. */
  'bundle.session': call(
    'session',
    { ...session, choice: BundleChoice },
    { steps: z.array(StepBar), words: z.array(z.string()) },
  ),
  /** The step at an event. Refused for other events. */
  'bundle.step': call(
    'session',
    { ...session, seq: z.int().min(0), choice: BundleChoice },
    BuiltStep,
  ),
  /** A bundle by hand. */
  'bundle.build': call('workspace', { record: StepRecord, choice: BundleChoice }, BuiltStep),
  'bundle.library': call('workspace', nothing, BundleLibrary),
} as const
