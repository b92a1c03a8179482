/** Paths of the coach's files in a workspace. */
export const COACH_FILES = {
  system: 'prompts/coach/system.md',
  user: 'prompts/coach/user.md',
  rules: 'prompts/coach/rules.yaml',
} as const
