import { readdirSync, statSync } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { parseGrammar } from '../../../engine/bundle/gbnf.ts'
import type { StepLibrary } from '../../../engine/bundle/ports.ts'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { ContractList, StepData } from '../../../engine/schema/step-data.ts'
import { isPlainName } from '../../platform/names.ts'
import { parseDataFile } from '../../platform/files/parse-file.ts'
import { cannotRead, readTextSync } from '../../platform/files/regular-file.ts'

const FOLDER = 'prompts/steps'
const MAX_BYTES = 1_000_000

/** The library, with the problems of its files. */
interface LoadedLibrary extends StepLibrary {
  readonly problems: readonly Problem[]
}

let kept: { readonly stamp: string; readonly library: Result<LoadedLibrary> } | null = null

/**
 * [A7] Step data, contracts and grammars below `prompts/steps/` of the roots. Files missing in the first root come from
 * the next, by file name. A broken file is a problem of its step only. Files are read again when one of them changes.
 */
export function loadStepLibrary(roots: readonly string[]): Result<LoadedLibrary> {
  const files = [
    ...filesOf(roots, FOLDER, '.yaml'),
    ...filesOf(roots, `${FOLDER}/grammars`, '.gbnf'),
  ]
  const stamp = files.map(({ path, stamp: own }) => `${path}:${own}`).join('\n')
  if (kept?.stamp !== stamp) kept = { stamp, library: readLibrary(files) }
  return kept.library
}

interface DataFile {
  readonly name: string
  readonly path: string
  readonly shown: string
  readonly stamp: string
}

function filesOf(roots: readonly string[], folder: string, ending: string): readonly DataFile[] {
  const found = new Map<string, DataFile>()
  for (const root of roots) {
    for (const name of namesIn(join(root, folder))) {
      if (!name.endsWith(ending) || !isPlainName(name) || found.has(name)) continue
      const path = join(root, folder, name)
      const stamp = stampOf(path)
      if (stamp === null) continue
      found.set(name, { name, path, shown: `${folder}/${name}`, stamp })
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Changes with the file. Null for a folder or a missing file. */
function stampOf(path: string): string | null {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info?.isDirectory() === false ? `${info.ino}:${info.size}:${info.mtimeMs}` : null
  } catch {
    // Reading the file says why it cannot be used.
    return 'unreadable'
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readLibrary(files: readonly DataFile[]): Result<LoadedLibrary> {
  const steps = new Map<number, StepData>()
  const grammars = new Set<string>()
  const problems: Problem[] = []
  let contracts: readonly string[] = []
  for (const file of files) {
    const text = readText(file)
    if (!text.ok) problems.push(text.error)
    else if (file.name.endsWith('.gbnf')) {
      const grammar = parseGrammar(text.value, file.shown)
      if (grammar.ok) grammars.add(file.name)
      else problems.push(grammar.error)
    } else if (file.name === 'contracts.yaml') {
      const list = parseDataFile(ContractList, text.value, file.shown)
      if (list.ok) ({ contracts } = list.value)
      else problems.push(list.error)
    } else {
      const step = parseDataFile(StepData, text.value, file.shown)
      if (!step.ok) problems.push(step.error)
      else if (steps.has(step.value.step_id)) problems.push(twice(file, step.value.step_id))
      else steps.set(step.value.step_id, step.value)
    }
  }
  if (steps.size > 0) return ok({ steps, contracts, grammars, problems })
  return err(problems[0] ?? { what: 'there is no step data', where: FOLDER, do: 'Add the files' })
}

function twice({ shown }: DataFile, step: number): Problem {
  return { what: `step ${step} is described twice`, where: shown, do: 'Keep one of the files' }
}

function readText({ path, shown }: DataFile): Result<string> {
  try {
    return ok(readTextSync(path, MAX_BYTES))
  } catch (error) {
    return err(cannotRead(error, shown))
  }
}
