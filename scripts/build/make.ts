import { join } from 'node:path'
import { formatProblem, type Result } from '../../core/engine/result.ts'
import { OUTPUTS, optionsOf, type Part, recordPath } from './parts.ts'
import { filesBelow, recordBuild, writeRecord } from './record.ts'

/** Throws the problem if there is one. */
function must<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(formatProblem(result.error))
}

/** Parts that are not bundles: each returns the data files that it read. */
const MADE: Partial<Readonly<Record<Part, (root: string) => Promise<readonly string[]>>>> = {
  drawing: async (root) => {
    const { copyDrawingFiles } = await import('../package/drawing.ts')
    copyDrawingFiles(root)
    return []
  },
  automata: async (root) => {
    const { buildShippedAutomata, CORPUS } = await import('../automata/build.ts')
    await buildShippedAutomata()
    const data = [...filesBelow(root, 'fixtures/vectors'), ...filesBelow(root, 'profiles')]
    return [CORPUS, ...data.filter((path) => !path.endsWith('.md'))]
  },
  model: async () => {
    const { installPackages } = await import('../packages.ts')
    must(installPackages('model'))
    const { buildShippedModel } = await import('../model/build.ts')
    must(await buildShippedModel())
    return ['scripts/model-packages/package-lock.json']
  },
}

/**
 * Builds a part that is not a bundle, and records the modules that were loaded for it and the files that it read.
 * @param modules absolute paths of the modules that the process loaded. It grows while they are loaded
 */
export async function makePart(
  root: string,
  part: Part,
  modules: readonly string[],
): Promise<void> {
  const make = MADE[part]
  if (make === undefined) throw new Error(`${part} is a bundle`)
  const startedAt = Date.now()
  const options = optionsOf(root, part)
  const data = await make(root)
  // Modules of `scripts/build` call the others, and change no output.
  const own = modules.filter((path) => !path.startsWith(join(root, 'scripts/build')))
  const record = recordBuild(root, [...own, ...data, 'package-lock.json'], startedAt, {
    options,
    outputs: OUTPUTS[part] ?? filesBelow(root, `dist/${part}`),
  })
  writeRecord(recordPath(root, part), record)
}
