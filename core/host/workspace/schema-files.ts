/** A JSON Schema that ships in `schemas/`, and the files of a workspace that it describes. */
export interface SchemaFile {
  /** `schemas/NAME.schema.json`. */
  readonly name: string
  readonly title: string
  /** Globs below the workspace, in the syntax of editors. Empty if no whole file is of this kind. */
  readonly files: readonly string[]
  /** `lines`: every line of the file is a value (JSONL), which editors cannot check by a schema of a document. */
  readonly form: 'yaml' | 'json' | 'lines'
  /** People write it: every field has its help. Others are written by programs. */
  readonly byHand: boolean
}

/** [F185] Every schema, in the order in which `turnscope schema` lists them. */
export const SCHEMA_FILES = [
  {
    name: 'domains',
    title: 'Domain file: domains and their signals',
    files: ['profiles/domains/*.yaml', 'profiles/domains/*.yml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'preset',
    title: 'Preset: every rule that changes behaviour, by name',
    files: ['profiles/presets/*.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'model-profile',
    title: 'Model profile: what a model does not get',
    files: ['profiles/models/*.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'prices',
    title: 'Prices of models per million tokens, for `context --prices`',
    files: [],
    form: 'json',
    byHand: true,
  },
  {
    name: 'format-map',
    title: 'Format of your own: where the records of a transcript are',
    files: ['profiles/formats/*.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'label',
    title: 'A line of a labels file',
    files: ['**/*.labels.jsonl'],
    form: 'lines',
    byHand: true,
  },
  {
    name: 'collections',
    title: 'Collections of documents that the semantic probe asks',
    files: ['profiles/collections.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'persona',
    title: 'Persona of the semantic probe',
    files: ['profiles/personas/*.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'probe-query',
    title: 'A line of labelled queries for the semantic probe',
    files: ['profiles/queries/*.jsonl'],
    form: 'lines',
    byHand: true,
  },
  {
    name: 'coach-rules',
    title: 'Rules of the coach that judge without a model',
    files: ['prompts/coach/rules.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'step-data',
    title: 'A step of the pipeline: mission, schema, guardrails',
    files: ['prompts/steps/[0-9]*.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'contracts',
    title: 'Authority contracts that are in force',
    files: ['prompts/steps/contracts.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'tour',
    title: 'Tour: a walk through one session',
    files: ['tours/*.yaml'],
    form: 'yaml',
    byHand: true,
  },
  {
    name: 'skill-rules',
    title: 'Skill rules of a coding agent, as domains',
    files: ['**/skill-rules.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'settings-view',
    title: 'Settings of the window, as it keeps them',
    files: ['.turnscope/state/view.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'settings-coach',
    title: 'Settings of the coach, as the window keeps them',
    files: ['.turnscope/state/coach.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'settings-probe',
    title: 'Settings of the semantic probe, as the window keeps them',
    files: ['.turnscope/state/probe.json'],
    form: 'json',
    byHand: true,
  },
  {
    name: 'policy',
    title: 'Policy file of a machine',
    files: [],
    form: 'json',
    byHand: true,
  },
  {
    name: 'agent-manifest',
    title: 'Manifest of an agent',
    files: [],
    form: 'json',
    byHand: true,
  },
  {
    name: 'session-header',
    title: 'First line of a session in the native format',
    files: [],
    form: 'lines',
    byHand: true,
  },
  {
    name: 'session-event',
    title: 'Any further line of a session in the native format',
    files: [],
    form: 'lines',
    byHand: true,
  },
  {
    name: 'step-record',
    title: 'Text of an event of kind `step`',
    files: [],
    form: 'json',
    byHand: false,
  },
  {
    name: 'step-bundle',
    title: 'A step awareness bundle',
    files: [],
    form: 'json',
    byHand: false,
  },
  {
    name: 'run-history',
    title: 'A line of run_history.jsonl',
    files: [],
    form: 'lines',
    byHand: false,
  },
  {
    name: 'watcher-failure',
    title: 'A line of watcher_failures.jsonl',
    files: [],
    form: 'lines',
    byHand: false,
  },
  {
    name: 'outcome-summary',
    title: 'A file of chapter13/summaries/',
    files: [],
    form: 'json',
    byHand: false,
  },
  {
    name: 'turn-trace',
    title: 'Trace of one turn, as `replay --json` prints it',
    files: [],
    form: 'lines',
    byHand: false,
  },
] as const satisfies readonly SchemaFile[]

export type SchemaName = (typeof SCHEMA_FILES)[number]['name']
