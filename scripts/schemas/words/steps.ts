import type { Words } from '../annotate.ts'
import { SCHEMA_WORD } from './common.ts'

const STEPS = {
  1: 'Window Optimizer',
  2: 'Scorer Meta',
  3: 'Full Scoring',
  4: 'ML Meta',
  5: 'Anti-Overfit Training',
  6: 'Prediction',
  13: 'Chapter 13, which reads the others and curates',
} as const

export const STEP_WORDS: Words = {
  '': 'The part of the bundle of a pipeline step that stays the same from run to run. A file of the workspace replaces the shipped one of its name.',
  $schema: SCHEMA_WORD,
  step_id: { text: 'Number of the step.', values: STEPS },
  step_name: { text: 'Name in small letters, digits and _.', examples: ['window_optimizer'] },
  title: 'Title, as people read it.',
  mission:
    'What the agent of this step has to decide, in a few sentences. It is the first part of every bundle.',
  schema_excerpt: 'The shape of the answer, as the agent has to write it.',
  grammar_name: {
    text: 'Name of the grammar of the answer: a .gbnf file of prompts/steps/grammars/, without folder.',
    examples: ['agent_decision.gbnf'],
  },
  grammar_fallback:
    'Grammar that takes its place where it is missing or broken. `null`: there is none.',
  guardrails: 'Rules that the agent must keep, a sentence each.',
  key_metrics:
    'Names of the results that matter. Those that a run lacks, and results that none of these names, are said in the bundle.',
}

export const CONTRACT_WORDS: Words = {
  '': 'Authority contracts that are in force. Every bundle names them.',
  $schema: SCHEMA_WORD,
  contracts: {
    text: 'File names in prompts/steps/contracts/, without folder.',
    examples: [['evaluation-only.md']],
  },
}

export const MANIFEST_WORDS: Words = {
  '': 'Manifest of an agent of the pipeline. Only the fields below are read; all else is the own business of the agent.',
  agent_name: 'Name of the agent.',
  version: 'Version of the agent.',
  pipeline_step:
    'Number of the step that the agent is for. A manifest of another step is said in the bundle.',
  description: 'What the agent does, in a sentence.',
  success_condition: 'When its work has succeeded: a sentence, or several.',
}
