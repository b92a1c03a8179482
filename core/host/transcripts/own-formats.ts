import { mappedImporter, type NamedMap } from '../../engine/import/own/importer.ts'
import type { Importer } from '../../engine/import/source.ts'
import { NO_OWN_FORMATS, type OwnFormats } from '../../engine/import/recognise.ts'
import { formatProblem, ok, type Problem, type Result } from '../../engine/result.ts'
import type { FormatMap } from '../../engine/schema/format-map.ts'
import type { Loaded } from '../workspace/data-kinds.ts'
import { loadDataFile, type Workspace } from '../workspace/workspace.ts'

/** The formats of a workspace, and its mapping files that cannot be used. */
export interface FoundFormats extends OwnFormats {
  readonly broken: readonly Problem[]
}

/** [I140] Called on every full reading, because mapping files change. A broken chosen mapping is refused. */
export type FormatsOf = () => Promise<Result<FoundFormats>>

export const noFormats: FormatsOf = () => Promise.resolve(ok({ ...NO_OWN_FORMATS, broken: [] }))

/** Maximum mapping files of a workspace that are tried, far more than workspaces have. */
const MOST_FORMATS = 100

/** [I140] All mappings of a workspace, and the one that the operator chose by name. */
export function workspaceFormats(workspace: Workspace, chosen: string | null = null): FormatsOf {
  return async () => {
    const own: Importer[] = []
    const broken: Problem[] = []
    const files = (await workspace.list('formats')).slice(0, MOST_FORMATS)
    for (const { name } of files) {
      const loaded = await workspace.format(name)
      if (loaded.ok) own.push(mappedImporter(namedMap(loaded.value)))
      else broken.push(loaded.error)
    }
    if (chosen === null) return ok({ own, chosen: null, broken })
    const loaded = await workspace.format(chosen)
    if (!loaded.ok) return loaded
    return ok({ own, chosen: mappedImporter(namedMap(loaded.value)), broken })
  }
}

/** [F101] The mapping in a file anywhere, for the command line. */
export function formatOfFile(path: string): FormatsOf {
  return async () => {
    const loaded = await loadDataFile('formats', path)
    if (!loaded.ok) return loaded
    const chosen = mappedImporter(namedMap(loaded.value))
    return ok({ own: [], chosen, broken: [] })
  }
}

function namedMap({ file, value }: Loaded<FormatMap>): NamedMap {
  return { name: file.name, shown: file.shown, map: value }
}

/** [I144] A file that no format knows may be one that a broken mapping was written for. */
export function withBroken(problem: Problem, broken: readonly Problem[]): Problem {
  const [first] = broken
  if (first === undefined) return problem
  return { ...problem, do: `${problem.do}. A mapping is broken: ${formatProblem(first)}` }
}
