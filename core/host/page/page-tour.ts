import { ANY_SESSION, type Tour } from '../../engine/schema/tour.ts'
import { TOURS_FOLDER, tourText } from '../workspace/tour-folder.ts'
import { type PageFiles, PAGE_WORKSPACE } from './page-files.ts'

export interface TourFile {
  readonly id: string
  readonly tour: Tour
}

/** [U136] A tour refers to turn numbers and texts of the whole session. */
export function cutTour(where: string) {
  const what = 'a tour is of the whole session, and only some turns are exported'
  return { what, where, do: 'Leave out --turns, or the tour' }
}

/**
 * [U136] The tour in the page, where the session has a different name. Its sentences are redacted like all other text.
 */
export function tourFile(file: TourFile | null, redact: (text: string) => string): PageFiles {
  if (!file) return {}
  const { id, tour } = file
  const stops = tour.stops.map((stop) => ({ ...stop, say: redact(stop.say) }))
  const text = tourText({ ...tour, title: redact(tour.title), session: ANY_SESSION, stops })
  return { [`${PAGE_WORKSPACE}/${TOURS_FOLDER}/${id}.yaml`]: text }
}

/** [U136] The first stop as the link has it. */
export function stopLink(file: TourFile | null): Readonly<Record<string, string>> {
  const [stop] = file?.tour.stops ?? []
  if (!file || !stop) return {}
  const { turn, event, tab, panel } = stop
  const parts = { tour: `${file.id}.1`, turn, event, tab, dock: panel }
  const said = Object.entries(parts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]))
}
