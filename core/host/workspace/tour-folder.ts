import { readdir } from '../platform/files/fenced-fs.ts'
import { basename, extname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { type Problem, type Result, err, ok } from '../../engine/result.ts'
import { MOST_TOUR_BYTES, Tour, TourId } from '../../engine/schema/tour.ts'
import { fingerprintOf } from '../platform/files/fingerprint.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { textIfThere } from '../platform/files/regular-file.ts'

/** Folder of a workspace, and of what ships. */
export const TOURS_FOLDER = 'tours'
const TOUR_ENDING = '.yaml'
/** Files of one folder that are read. */
const MOST_FILES = 200

/** A tour with its file. */
export interface TourFile {
  readonly id: string
  /** False if it ships with the program. */
  readonly own: boolean
  /** As people know it: `tours/st-003.yaml`. */
  readonly shown: string
  readonly fingerprint: string
  readonly text: string
  readonly tour: Tour
}

/** Its displayed path: `tours/st-003.yaml`. */
interface TourFiles {
  readonly tours: readonly TourFile[]
  readonly problems: readonly Problem[]
}

/** [U130] Parses the text of one tour. A workspace's tour is untrusted. */
export function readTour(text: string, shown: string): Result<Tour> {
  if (Buffer.byteLength(text) > MOST_TOUR_BYTES) {
    const what = `a tour has at most ${MOST_TOUR_BYTES / 1000} kB`
    return err({ what, where: shown, do: 'Make it shorter, or two tours of it' })
  }
  return parseDataFile(Tour, text, shown)
}

/** [U130] The file of one tour, wherever it is. */
export async function loadTour(path: string, own = true, shown = path): Promise<Result<TourFile>> {
  const id = basename(path, extname(path))
  const named = TourId.safeParse(id)
  if (!named.success) {
    const what = `not the name of a tour: ${named.error.issues[0]?.message ?? ''}`
    return err({ what, where: shown, do: 'Rename the file' })
  }
  const text = await textIfThere(resolve(path), shown, MOST_TOUR_BYTES)
  if (text === null)
    return err({ what: 'there is no such file', where: shown, do: 'Check the path' })
  if (!text.ok) return text
  const tour = readTour(text.value, shown)
  if (!tour.ok) return tour
  const fingerprint = fingerprintOf(text.value)
  return ok({ id, own, shown, fingerprint, text: text.value, tour: tour.value })
}

/**
 * [U130] All tours of a workspace, then those that ship and have another name. One bad file costs that file.
 * @param roots the workspace, then what ships
 */
export async function listTours(roots: readonly string[]): Promise<TourFiles> {
  const tours = new Map<string, TourFile>()
  const problems: Problem[] = []
  for (const [at, root] of roots.entries()) {
    // If the operator works in the shipped folder, it is its own workspace.
    const own = at === 0
    for (const file of await filesOf(join(root, TOURS_FOLDER))) {
      const path = join(root, TOURS_FOLDER, file)
      const loaded = await loadTour(path, own, `${TOURS_FOLDER}/${file}`)
      if (!loaded.ok) problems.push(loaded.error)
      else if (!tours.has(loaded.value.id)) tours.set(loaded.value.id, loaded.value)
    }
  }
  return { tours: [...tours.values()], problems }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => extname(name) === TOUR_ENDING && !name.startsWith('.'))
    .toSorted()
    .slice(0, MOST_FILES)
}

/** [U130] A tour by its name, or by the path of a file anywhere. */
export async function findTour(roots: readonly string[], name: string): Promise<Result<TourFile>> {
  if (extname(name) === TOUR_ENDING) return loadTour(name)
  const { tours, problems } = await listTours(roots)
  const found = tours.find(({ id }) => id === name)
  if (found) return ok(found)
  const broken = problems.find(({ where }) => where.startsWith(`${TOURS_FOLDER}/${name}.`))
  if (broken) return err(broken)
  const known = tours.map(({ id }) => id).join(', ')
  const advice = known === '' ? 'Put a file there' : `There are: ${known}`
  return err({ what: `there is no tour "${name}"`, where: TOURS_FOLDER, do: advice })
}

/** The text of a tour's file, as it is written. */
export function tourText(tour: Tour): string {
  return stringify(tour, { lineWidth: 100 })
}
