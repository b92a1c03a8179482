/** What the panel Lab can show, in the order of its tabs. */
export const STUDIES = [
  'metrics',
  'matrix',
  'coverage',
  'ablation',
  'what-if',
  'suggestions',
  'lint',
] as const
export type Study = (typeof STUDIES)[number]
