import { err, type Problem, type Result } from '../result.ts'
import { DomainFile } from '../schema/domain.ts'
import { issueWords } from '../schema/issue-words.ts'
import { checkDomains } from './domains.ts'

function nameAt(file: unknown, path: readonly PropertyKey[]): string | null {
  const [list, index] = path
  if (list !== 'domains' || typeof index !== 'number') return null
  if (typeof file !== 'object' || file === null || !('domains' in file)) return null
  const entry: unknown = Array.isArray(file.domains) ? file.domains[index] : null
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return null
  return typeof entry.name === 'string' ? entry.name : null
}

function placeOf(file: unknown, name: string, path: readonly PropertyKey[]): string {
  const domain = nameAt(file, path)
  const place = path.map(String).join('.')
  return [name, domain === null ? '' : `domain "${domain}"`, place].filter(Boolean).join(', ')
}

/**
 * Checks a parsed domain file (YAML or JSON values). `name` is the file's name, for messages.
 * Refuses blank, duplicate and "+" names (B13), unknown keys, and aliases that mean two domains.
 */
export function loadDomains(file: unknown, name: string): Result<DomainFile, readonly Problem[]> {
  const parsed = DomainFile.safeParse(file)
  if (parsed.success) {
    return checkDomains(parsed.data, name)
  }
  return err(
    parsed.error.issues.map((issue) => ({
      what: issueWords(issue),
      where: placeOf(file, name, issue.path),
      do: 'See the schema of domain files (schema/domain.ts).',
    })),
  )
}
