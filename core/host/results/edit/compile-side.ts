import { compileDomains } from '../../../engine/matcher/domains.ts'
import { type Result, err } from '../../../engine/result.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import { type Compiled, allProblems, compilePipeline } from '../../rules/pipelines.ts'

/**
 * The pipeline of a side that another thread has compiled before. Its domains may be those of a draft: they are compiled
 * as they are, and nothing is kept under the text of the file that they were made from.
 */
export function compileSide(files: ConfigFiles): Result<Compiled> {
  return compilePipeline(files, ({ value, file }, asciiBoundaries) => {
    const set = compileDomains(value, { asciiBoundaries })
    return set.ok ? set : err(allProblems(set.error, file.shown))
  })
}
