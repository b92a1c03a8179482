import type { z } from 'zod'
import { type Result, err } from '../../engine/result.ts'
import { FormatMap } from '../../engine/schema/format-map.ts'
import { Preset } from '../../engine/schema/preset.ts'
import { ModelProfile } from '../../engine/schema/profile.ts'
import { useProblemsInText, type FindProblems } from './domains/find-problems.ts'
import { parseDomains } from './domains/parse-domains.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import type { DataKind, DataValues } from './data-kinds.ts'
import { createTextCompiler } from './domains/compile-text.ts'
import { createBlockCache } from './domains/domain-pieces.ts'
import { readDomainText } from './domains/domain-text.ts'
import { allInText } from './domains/text-problem.ts'

/** [B18] Problems of signals with their lines and columns in the text of the file. */
const problemsInText: FindProblems = ({ value, file }, text, asciiBoundaries) => {
  const read = readDomainText(text, createBlockCache())
  const files = { file: value, saved: value }
  const { problems } = createTextCompiler()(read, files, { asciiBoundaries })
  return err(allInText(problems, file.shown))
}

/** Makes something of a text; `where` names the file. */
type Parse<T> = (text: string, where: string) => Result<T>

function parserOf<S extends z.ZodType>(schema: S): Parse<z.output<S>> {
  return (text, where) => parseDataFile(schema, text, where)
}

/**
 * Parser for each kind of file. Loaded only for a text without a cached result (C23), because the YAML parser and the
 * schemas are most of a command's load time.
 */
export const PARSERS: { readonly [Kind in DataKind]: Parse<DataValues[Kind]> } = {
  presets: parserOf(Preset),
  domains: parseDomains,
  models: parserOf(ModelProfile),
  formats: parserOf(FormatMap),
}

useProblemsInText(problemsInText)
