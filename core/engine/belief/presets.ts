import { err, ok, type Problem, type Result } from '../result.ts'
import { Preset } from '../schema/preset.ts'

/**
 * Checks a parsed preset file. A preset spells out every option, so that a file says by itself what
 * it does. `where` is the file's name.
 */
export function parsePreset(file: unknown, where: string): Result<Preset, readonly Problem[]> {
  const parsed = Preset.safeParse(file)
  if (parsed.success) return ok(parsed.data)
  return err(
    parsed.error.issues.map((issue) => ({
      what: issue.message,
      where: [where, issue.path.map(String).join('.')].filter(Boolean).join(', '),
      do: 'Compare with profiles/presets/recommended.yaml, which spells out every option.',
    })),
  )
}
