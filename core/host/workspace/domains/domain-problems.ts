import { err } from '../../../engine/result.ts'
import { createTextCompiler } from './compile-text.ts'
import { createBlockCache } from './domain-pieces.ts'
import { readDomainText } from './domain-text.ts'
import { allInText } from './text-problem.ts'
import type { FindProblems } from './find-problems.ts'

/** [B18] Problems of signals with their lines and columns in the text of the file. */
export const problemsInText: FindProblems = ({ value, file }, text, asciiBoundaries) => {
  const read = readDomainText(text, createBlockCache())
  const files = { file: value, saved: value }
  const { problems } = createTextCompiler()(read, files, { asciiBoundaries })
  return err(allInText(problems, file.shown))
}
