import { z } from 'zod'
import { Compared } from '../engine/schema/compare.ts'
import { call, stream } from './method.ts'
import { Excerpt, FilePath, Key, steps, variant, nothing, session } from './shapes.ts'
import { ExportForm } from '../engine/schema/export-form.ts'
import {
  DiscoveredPlace,
  LibraryEntry,
  LibraryFolder,
  ProblemText,
} from '../engine/schema/library.ts'
import { RedactionFinding, RedactionKind } from '../engine/schema/redaction.ts'
import { Column, ReplayConfig } from '../engine/schema/replay.ts'
import { TourId } from '../engine/schema/tour.ts'

const key = Key
const query = z.string().min(1).max(2000)
const folder = FilePath
/** Sessions of the file by index; null = all. */
const chosen = z.array(z.int().min(0)).nullable()
/** The redacted content of an opened file. Written to `path`, or returned as chunks of text if that is null. */
const redacted = {
  key,
  sessions: chosen,
  kinds: z.array(RedactionKind),
  keep: z.array(z.string()).max(10_000),
  path: FilePath.nullable(),
}

/** Turns of the first session to write, 1-based and inclusive; null = all. */
const turns = z.tuple([z.int().min(1), z.int().min(1)]).nullable()

/** Contents of an exported page besides its sessions. */
const Brought = z.object({
  labels: z.int().min(0),
  /** Of the labels, those with a note. */
  notes: z.int().min(0),
  /** A domain file that was edited and not saved. */
  draft: z.object({ file: z.string(), text: z.string() }).nullable(),
  /** Presets, domain files and profiles of the workspace it was made in. */
  data: z.array(
    z.object({ kind: z.enum(['preset', 'domain file', 'model profile']), name: z.string() }),
  ),
})

/** Finding, the library of folders, and what leaves the machine. */
export const libraryContract = {
  /**
   * Events that match a query, searched in data and not in rendered rows. A query is words, "quoted text", /regular
   * expressions/ and `role: domain: signal: flip: event: tool: text:` filters. All must match; `-` before one excludes
   * it. `domain:`, `event:` and `flip:` use the replay. `persona:` uses the probe, so the main process adds the probe's
   * hits.
   */
  'session.find': call(
    'main',
    { ...session, query, config: ReplayConfig, compare: Compared.nullable() },
    {
      seqs: Column,
      more: z.boolean(),
      /** Problem of the query. If set, there are no results. */
      problem: ProblemText.nullable(),
      /** Texts on which a regular expression ran out of time. */
      cutOff: z.int(),
    },
    { packed: true },
  ),
  /** Matches of a query in these events (at most 200). */
  'session.excerpts': call(
    'session',
    { ...session, query, seqs: z.array(z.int().min(0)).max(200) },
    { excerpts: z.array(Excerpt) },
  ),
  /** [F8] Names of the session's tools, most often called first (at most 500). */
  'session.tools': call('session', session, {
    tools: z.array(z.object({ name: z.string(), count: z.int() })),
  }),
  'library.folders': call('main', nothing, { folders: z.array(LibraryFolder) }),
  'library.addFolder': call('main', { path: folder }, LibraryFolder),
  'library.removeFolder': call('main', { path: folder }, nothing),
  /** The entries of the cached index, returned immediately. */
  'library.entries': call(
    'main',
    { folder, config: ReplayConfig, compare: ReplayConfig.nullable() },
    { entries: z.array(LibraryEntry), stale: z.boolean() },
  ),
  /** Looks for new and changed files, reads and replays them in the background; entries as they come. */
  'library.scan': stream(
    'main',
    { folder, config: ReplayConfig, compare: ReplayConfig.nullable() },
    steps(
      variant('entries', { entries: z.array(LibraryEntry) }),
      variant('scanned', {
        files: z.int(),
        failed: z.int(),
        /** Files that are not transcripts, or too many, with the reason. */
        skipped: z.record(z.string(), z.int()),
        removed: z.array(z.string()),
      }),
    ),
  ),
  /** Finds over all files of a folder. */
  'library.find': stream(
    'main',
    { folder, query, config: ReplayConfig, compare: ReplayConfig.nullable() },
    steps(
      variant('found', {
        path: z.string(),
        name: z.string(),
        session: z.int(),
        title: z.string(),
        total: z.int(),
        /** The first 20. */
        excerpts: z.array(Excerpt),
      }),
      variant('done', {
        files: z.int(),
        sessions: z.int(),
        total: z.int(),
        problem: ProblemText.nullable(),
      }),
    ),
  ),
  /** The usual places of tools on this machine. Looks only when called. */
  'library.discover': call('main', nothing, { places: z.array(DiscoveredPlace) }),
  /** Native save dialog; null when cancelled. Refused where `nativeDialog` is false. */
  'dialog.save': call('main', { suggested: z.string().max(200) }, { path: z.string().nullable() }),
  /** The redactions of an export. */
  'export.review': stream(
    'session',
    { key, sessions: chosen, kinds: z.array(RedactionKind) },
    steps(
      variant('reviewed', {
        findings: z.array(RedactionFinding),
        /** More findings than are listed are taken out too. */
        total: z.int(),
        /** Facts that the native format does not carry, in words. */
        dropped: z.array(z.string()),
      }),
    ),
  ),
  /** Native JSONL with the findings taken out, but for those in `keep`. */
  'export.write': stream(
    'main',
    {
      ...redacted,
    },
    steps(
      variant('chunk', { text: z.string() }),
      variant('written', { bytes: z.number(), redacted: z.int() }),
    ),
  ),
  /** [U180] Data for others, as `turnscope export` writes it; redacted like `export.write`. */
  'forms.write': stream(
    'main',
    {
      ...redacted,
      form: ExportForm,
      config: ReplayConfig,
      turns,
      /** The other side, and how it is called; Markdown of a comparison has them. */
      compare: Compared.nullable(),
      against: z.string().max(200).nullable(),
      version: z.string().max(40),
    },
    steps(
      variant('chunk', { text: z.string() }),
      variant('written', { bytes: z.number(), redacted: z.int() }),
    ),
  ),
  /** [U125] The extras of an opened exported page; null for every other file. None of it is in force. */
  'page.brought': call('session', { key }, { brought: Brought.nullable() }),
  /** [R11] The sessions with the program that replays them, as one HTML file; redacted like `export.write`. */
  'page.write': stream(
    'main',
    {
      ...redacted,
      config: ReplayConfig,
      /** Preset of the other side of the comparison. */
      compare: z.string().max(200).nullable(),
      version: z.string().max(40),
      /** [U183] */
      turns: turns.default(null),
      /** [U136] A tour that the page opens with. */
      tour: TourId.nullable().default(null),
      /** [U120] False leaves out the message texts. */
      text: z.boolean().default(true),
      /** [U122] False: nothing can be edited in the page. */
      edit: z.boolean().default(true),
      /** [U123] With the unsaved draft of the domain file. */
      draft: z.boolean().default(false),
    },
    steps(
      variant('chunk', { text: z.string() }),
      variant('written', { bytes: z.number(), redacted: z.int(), about: z.array(z.string()) }),
    ),
  ),
  /** The same for a text on its way to the clipboard. */
  'export.text': call(
    'workspace',
    { text: z.string().max(5_000_000), kinds: z.array(RedactionKind) },
    { text: z.string(), redacted: z.int() },
  ),
} as const
