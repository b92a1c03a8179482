import { type Result, err, ok } from '../../../engine/result.ts'
import { DomainFile } from '../../../engine/schema/domain.ts'
import { isSkillText, readSkillText } from './skill-text.ts'
import { allInText } from './text-problem.ts'
import { parseDataFile } from '../../platform/files/parse-file.ts'

/**
 * [K10] Parses the text of a domain file or of skill rules, regardless of the file name. Problems have file, line and
 * column.
 */
export function parseDomains(text: string, where: string): Result<DomainFile> {
  if (!isSkillText(text)) return parseDataFile(DomainFile, text, where)
  const { value, problems } = readSkillText(text)
  return value === null ? err(allInText(problems, where)) : ok(value)
}
