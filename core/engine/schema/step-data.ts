import { z } from 'zod'
import { StepId } from './bundle.ts'
import type { Immutable } from './immutable.ts'

const grammar = z.string().regex(/^[\w-]+\.gbnf$/u, 'the name of a .gbnf file, without folder')

/** [A7] A file of `prompts/steps/`: the static part of one step's bundle. */
export const StepData = z.strictObject({
  $schema: z.string().optional(),
  step_id: StepId,
  step_name: z.string().regex(/^[a-z0-9_]+$/u),
  title: z.string().min(1),
  mission: z.string().min(1),
  schema_excerpt: z.string().min(1),
  grammar_name: grammar,
  /** Null if there is no grammar (Chapter 13). */
  grammar_fallback: grammar.nullable(),
  guardrails: z.array(z.string().min(1)),
  key_metrics: z.array(z.string().min(1)),
})
export type StepData = Immutable<z.infer<typeof StepData>>

/** `prompts/steps/contracts.yaml`: authority contracts in force, by file name in `prompts/steps/contracts/`. */
export const ContractList = z.strictObject({
  $schema: z.string().optional(),
  contracts: z.array(z.string().regex(/^[\w-]+\.md$/u)),
})

/** An agent manifest. Only the fields in use are checked. */
export const AgentManifest = z.looseObject({
  agent_name: z.string().min(1),
  version: z.string().optional(),
  pipeline_step: z.int().optional(),
  description: z.string().optional(),
  success_condition: z.union([z.string(), z.array(z.string())]).optional(),
})
export type AgentManifest = Immutable<z.infer<typeof AgentManifest>>
