import type { RedactOptions } from '../../engine/redact/redact.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ReplayColumns } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import type { OpenTranscript } from '../transcripts/open-transcript.ts'
import type { Loaded } from '../workspace/data-kinds.ts'
import type { TourFile } from './page-tour.ts'
import type { PageFiles } from './page-files.ts'

/** Sessions of one file. */
export interface PageSource {
  readonly transcript: OpenTranscript['transcript']
  /** Sessions of the file by index; null = all. */
  readonly chosen: readonly number[] | null
  /** Lines of its labels file; null = none go along. */
  readonly labels: string | null
  readonly name: string
}

/** Replay of a session, and the session without its texts. */
export interface PageReplay {
  readonly columns: ReplayColumns
  readonly withoutTexts: () => Promise<Session>
}

/** The content and options of one page. */
export interface PageRequest {
  readonly sources: readonly PageSource[]
  /** Turns of the first session to keep, 1-based and inclusive; null = all. */
  readonly turns: readonly [from: number, to: number] | null
  readonly config: ConfigFiles
  /** Preset of the other side of the comparison. */
  readonly compare: { readonly name: string; readonly preset: Loaded<Preset> } | null
  readonly redaction: RedactOptions | null
  /** [U120] False leaves out the message texts. */
  readonly text: boolean
  /** [U122] False: nothing can be edited in the page. */
  readonly edit: boolean
  /** [U123] An unsaved text of the domain file, as a file of the page (`draftFile`). */
  readonly draft: ((domainsPath: string) => { readonly path: string; readonly text: string }) | null
  /** [U136] A tour that the page opens with. */
  readonly tour: TourFile | null
  /** Further files of the page, by their path in it. */
  readonly more: PageFiles
  readonly version: string
  /** The folder that ships with Turnscope. */
  readonly shipped: string
  readonly replay: (session: Session) => Promise<PageReplay>
}

/** Features that a page lacks because it does not contain the data for them. */
export type Lack = 'text' | 'edit'

export function lacksOf({ text, edit }: Pick<PageRequest, 'text' | 'edit'>): readonly Lack[] {
  // Without texts there is nothing that an edit could be tried on.
  if (!text) return ['text', 'edit']
  return edit ? [] : ['edit']
}
