import { z } from 'zod'
import { type Contract, call, stream } from './method.ts'
import { bundleContract } from './bundle.ts'
import { coachContract } from './coach.ts'
import { contextContract } from './context.ts'
import { compareContract } from './compare.ts'
import { formatsContract } from './formats.ts'
import { labContract } from './lab.ts'
import { liveContract } from './live.ts'
import { libraryContract } from './library.ts'
import { picturesContract } from './pictures.ts'
import { probeContract } from './probe.ts'
import { resultsContract } from './results.ts'
import { tourContract } from './tours.ts'
import { scratchContract } from './scratch.ts'
import { trustContract } from './trust.ts'
import { StoredUpload, uploadContract } from './uploads.ts'
import { updatesContract } from './updates.ts'
import {
  DomainInfo,
  EventIndex,
  EventRow,
  FilePath,
  Grown,
  HostEvent,
  HostInfo,
  Key,
  Opened,
  OpenSource,
  steps,
  RecentFile,
  Sample,
  Settings,
  variant,
  nothing,
  session,
} from './shapes.ts'
import { CoachSettings } from '../engine/schema/coach-wire.ts'
import { ProbeSettings } from '../engine/schema/probe-settings.ts'
import { DiffPart, QueryColumns, ResponseColumns } from '../engine/schema/answer-columns.ts'
import { PromptTrace, QueryTrace, SelfSignalTrace } from '../engine/schema/answer-trace.ts'
import { ProfileAdvice } from '../engine/schema/profile.ts'
import { ComposedPrompt } from '../engine/schema/prompt.ts'
import { QueryClassification, QueryType } from '../engine/schema/query.ts'
import { Compared, Decider } from '../engine/schema/compare.ts'
import { Flip, OneSided, ReplayColumns, ReplayConfig } from '../engine/schema/replay.ts'
import { LineProblem } from '../engine/schema/session.ts'
import { TurnTrace } from '../engine/schema/trace.ts'

export { CorpusSession, CorpusTurn } from './lab.ts'
export { CollectionInfo, EmbedderInfo, ProbeColumns } from './probe.ts'
export {
  OpenSource,
  Progress,
  SessionHead,
  Opened,
  Grown,
  EventIndex,
  Mark,
  EventRow,
  Excerpt,
  DomainInfo,
  PresetInfo,
  ProfileInfo,
  HostInfo,
  Sample,
  RecentFile,
  Settings,
  HostEvent,
} from './shapes.ts'

const key = Key

/** The only bridge between window and host. Pure data: no Node, no DOM, no Electron. */
export const contract = {
  'host.info': call('main', nothing, HostInfo),
  'host.events': stream('main', nothing, HostEvent),
  /** [U18] An address that admits one more browser, once. Refused if no browser is served. */
  'host.link': call('main', nothing, { url: z.string() }),
  /**
   * [F122] Copies the shipped files into the workspace and keeps existing files. Refused if the workspace is the
   * shipped one.
   */
  'host.yours': call('main', nothing, {
    folder: z.string(),
    copied: z.int().min(0),
    kept: z.int().min(0),
  }),
  'host.domains': call(
    'workspace',
    { preset: z.string(), domains: z.string() },
    { domains: z.array(DomainInfo), warnings: z.array(z.string()) },
  ),
  'settings.get': call('main', nothing, Settings),
  'settings.set': call(
    'main',
    // Without defaults: a field omitted from a patch keeps its value, including each field of coach and probe.
    Settings.extend({ coach: CoachSettings.partial(), probe: ProbeSettings.partial() }).partial(),
    Settings,
  ),
  'library.list': call('main', nothing, {
    samples: z.array(Sample),
    recent: z.array(RecentFile),
    /** [I96] Stored uploads, the last used first. */
    uploads: z.array(StoredUpload),
  }),
  'library.forget': call('main', { path: FilePath }, nothing),
  /** The native file dialog; null when cancelled. Refused where `nativeDialog` is false. */
  'dialog.open': call('main', nothing, { paths: z.array(z.string()) }),
  /** The same for a folder that joins the library. */
  'dialog.folder': call('main', nothing, { path: z.string().nullable() }),
  ...uploadContract,
  /** [F141] `results`: the path is a folder of results of a batch, which is asked by `results.*`; nothing is opened. */
  'session.open': stream(
    'main',
    { source: OpenSource },
    steps(Opened, Grown, variant('results', { path: z.string() })),
  ),
  /** Follows a growing file until the caller stops; refused for archives and samples. An upload grows by `upload.renew`. */
  'session.follow': stream(
    'session',
    { key },
    z.discriminatedUnion('kind', [
      Grown,
      variant('following', {
        /** `restarted`: truncated, rotated or replaced, and read again. `gone`: waiting for the file to return. */
        state: z.enum(['watching', 'restarted', 'gone']),
      }),
    ]),
  ),
  'session.close': call('main', { key }, nothing),
  /** Rows from event `from` on. */
  'session.index': call('session', { ...session, from: z.int().min(0).default(0) }, EventIndex, {
    packed: true,
  }),
  /** Replays one session; with `compare`, a second time with that configuration, and says what flips. */
  'session.replay': stream(
    'session',
    {
      ...session,
      config: ReplayConfig,
      compare: Compared.nullable(),
      /** [U190] The part of this replay that the window already has. The answer leaves these turns out if it can. */
      known: z
        .object({ run: Key, turns: z.int().min(0) })
        .nullable()
        .default(null),
    },
    steps(
      variant('replayed', {
        /** [U190] Names the run: columns of one run continue each other. */
        run: Key,
        /** The first turn of `columns`, 0-based: `known.turns` if that run continues, else 0. */
        from: z.int().min(0),
        /** [U191] Number of events of the session that the replay has seen. The window may know fewer. */
        events: z.int().min(0),
        /**
         * Key of the compiled configuration. It changes with the contents of the preset, domain and profile files,
         * which names alone do not show. All replay data in a window depends on it.
         */
        key: z.string(),
        compareKey: z.string().nullable(),
        columns: ReplayColumns,
        compare: ReplayColumns.nullable(),
        flips: z.array(Flip),
        /** Turns that only one side has; null without a comparison. */
        oneSided: OneSided.nullable(),
        elapsedMs: z.number(),
      }),
    ),
    { packed: true },
  ),
  'session.rows': call(
    'session',
    {
      ...session,
      from: z.int().min(0),
      to: z.int().min(0),
      maxChars: z.int().min(1).max(200_000),
      /** [U188] Signals of this configuration are marked; null: none are, and nothing is compiled for it. */
      config: ReplayConfig.nullable(),
    },
    {
      rows: z.array(EventRow),
      /** Configuration key of the marks, as in the answer of `session.replay`; null if nothing was marked. */
      key: z.string().nullable(),
    },
  ),
  'session.trace': call(
    'session',
    { ...session, turn: z.int().min(0), config: Decider },
    TurnTrace,
  ),
  ...compareContract,
  /** Self-signals, query types and prompt sizes of a whole session, for the timeline's lanes. */
  'session.answers': call(
    'session',
    { ...session, config: ReplayConfig },
    {
      /** As in the answer of `session.replay`. */
      key: z.string(),
      responses: ResponseColumns,
      queries: QueryColumns,
    },
    { packed: true },
  ),
  /** One response of the agent: its self-signal, diagnostics, state, claims. Refused for other events. */
  'session.response': call(
    'session',
    { ...session, seq: z.int().min(0), config: ReplayConfig },
    { text: z.string(), trace: SelfSignalTrace },
  ),
  /**
   * The prompt with which a user message would have been answered. For another event, the prompt of the message before
   * it. `previous` compares with the prompt of the previous message: removed and added text since then. `compare`
   * compares with the same message under another configuration: text which that one removes and adds. Null also if a
   * prompt could not be composed.
   */
  'session.prompt': call(
    'main',
    {
      ...session,
      seq: z.int().min(0),
      config: ReplayConfig,
      compare: ReplayConfig.nullable(),
      /** Adds the probe's hits for the message as the segment `probe-context` (P9). */
      probe: z.boolean().default(false),
    },
    {
      query: QueryTrace,
      prompt: PromptTrace,
      previous: z.object({ seq: z.int(), diff: z.array(DiffPart) }).nullable(),
      compare: z.object({ preset: z.string(), diff: z.array(DiffPart) }).nullable(),
    },
  ),
  /** Composes a prompt for a text typed by hand; `drafts` replace the files of segments by id, unsaved. */
  'playground.compose': call(
    'workspace',
    {
      preset: z.string(),
      text: z.string().max(100_000),
      /** Null = classify the text. */
      type: QueryType.nullable(),
      drafts: z.record(z.string(), z.string().max(200_000)),
      variables: z.record(z.string(), z.string()),
      /** Null = the preset's. */
      budget: z.int().min(0).max(10_000_000).nullable(),
    },
    {
      query: QueryClassification,
      prompt: ComposedPrompt.nullable(),
      problem: z.string().nullable(),
      /** Every segment of the registry with the text of its file. */
      sources: z.array(z.object({ id: z.string(), path: z.string(), text: z.string() })),
    },
  ),
  /** The original record of the file, at most 256 KiB of it. */
  'session.raw': call(
    'session',
    { ...session, seq: z.int().min(0) },
    {
      line: z.int(),
      offset: z.int(),
      length: z.int(),
      text: z.string(),
      truncated: z.boolean(),
    },
  ),
  /** [F60] Whether the chosen profile is the one for the session's model. */
  'session.profile': call(
    'session',
    { ...session, profile: z.string().nullable() },
    { advice: ProfileAdvice },
  ),
  'session.problems': call('session', { key }, { problems: z.array(LineProblem), total: z.int() }),
  /** Bytes of a line that could not be used, readable. */
  'session.line': call(
    'session',
    {
      key,
      offset: z.int().min(0),
      length: z.int().min(0),
      /** As the problem says it. */
      file: z.int().min(0).optional(),
    },
    { text: z.string(), truncated: z.boolean() },
  ),
  ...bundleContract,
  ...contextContract,
  ...libraryContract,
  ...picturesContract,
  ...coachContract,
  ...labContract,
  ...probeContract,
  ...tourContract,
  ...scratchContract,
  ...trustContract,
  ...liveContract,
  ...updatesContract,
  ...formatsContract,
  ...resultsContract,
} as const satisfies Contract
export type TurnscopeContract = typeof contract
