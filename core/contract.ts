import { z } from 'zod'
import { StepRecord } from './engine/schema/bundle.ts'
import { BuiltStep, BundleChoice, BundleLibrary, StepBar } from './engine/schema/bundle-wire.ts'
import { EventKind } from './engine/schema/event.ts'
import { GateReport } from './engine/schema/profile.ts'
import { Flip, ReplayColumns, ReplayConfig, Column } from './engine/schema/replay.ts'
import { LineProblem } from './engine/schema/session.ts'
import { DiffPart, QueryColumns, ResponseColumns } from './engine/schema/oracle-columns.ts'
import { PromptTrace, QueryTrace, SelfSignalTrace } from './engine/schema/oracle-trace.ts'
import { ComposedPrompt } from './engine/schema/prompt.ts'
import { QueryClassification, QueryType } from './engine/schema/query.ts'
import { Span, TurnTrace } from './engine/schema/trace.ts'
import type { Contract } from './rpc.ts'

const key = z.string().min(1).max(200)
const nothing = z.object({})
const session = { key, session: z.int().min(0) }

/** Where a transcript comes from: a path that the host can read, a shipped sample, or bytes uploaded before. */
export const OpenSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: z.string().min(1).max(4096) }),
  z.object({ kind: z.literal('sample'), id: z.string().min(1).max(100) }),
  z.object({ kind: z.literal('upload'), upload: key }),
])
export type OpenSource = z.infer<typeof OpenSource>

/** Work under way: `done` of `total` in the unit of the phase (bytes for reading, turns for replaying). */
export const Progress = z.object({
  kind: z.literal('progress'),
  phase: z.enum(['reading', 'importing', 'replaying', 'comparing']),
  done: z.number().min(0),
  total: z.number().min(0),
})

/** One session inside an opened file. */
export const SessionHead = z.object({
  index: z.int().min(0),
  id: z.string(),
  title: z.string(),
  thread: z.string(),
  parent: z.string().nullable(),
  startedAt: z.number().nullable(),
  cwd: z.string().nullable(),
  events: z.int().min(0),
  /** Events by kind, for kinds that occur. */
  kinds: z.partialRecord(EventKind, z.int()),
})
export type SessionHead = z.infer<typeof SessionHead>

export const Opened = z.object({
  kind: z.literal('opened'),
  key,
  name: z.string(),
  /** Path shown to people; null for an upload. */
  path: z.string().nullable(),
  format: z.string(),
  formatLabel: z.string(),
  bytes: z.number().min(0),
  lines: z.int().min(0),
  sessions: z.array(SessionHead),
  problems: z.int().min(0),
  skipped: z.record(z.string(), z.int()),
})
export type Opened = z.infer<typeof Opened>

/** The light index of a session: one row an event, for the virtual list and the timeline. */
export const EventIndex = z.object({
  /** Index into EventKind.options. */
  kind: Column,
  /** Epoch milliseconds, 0 = unknown. */
  at: Column,
  /** UTF-16 units of the event's text. */
  chars: Column,
  /** 0-based exchange (from one message of a person to the next); -1 before the first. */
  exchange: Column,
})
export type EventIndex = Readonly<z.infer<typeof EventIndex>>

/** A matched signal in the shown text. */
export const Mark = z.object({ span: Span, domain: z.string(), signal: z.int() })
export type Mark = z.infer<typeof Mark>

/** One event as the list shows it. */
export const EventRow = z.object({
  seq: z.int().min(0),
  kind: EventKind,
  name: z.string().nullable(),
  callId: z.string().nullable(),
  isError: z.boolean(),
  model: z.string().nullable(),
  at: z.number().nullable(),
  line: z.int(),
  /** At most `maxChars` of the request; `chars` is the whole size. */
  text: z.string(),
  chars: z.int(),
  marks: z.array(Mark),
})
export type EventRow = z.infer<typeof EventRow>

export const DomainInfo = z.object({
  name: z.string(),
  priority: z.int(),
  signals: z.int(),
  brief: z.string(),
  /** [B1] under the preset in force a domain whose value is null never breaks a strong momentum. */
  breakMinSignals: z.int().nullable(),
})
export type DomainInfo = z.infer<typeof DomainInfo>

export const PresetInfo = z.object({
  name: z.string(),
  title: z.string(),
  help: z.string(),
  /** Options that differ from `recommended`, as text. */
  differs: z.array(z.object({ option: z.string(), value: z.string(), help: z.string() })),
})
export type PresetInfo = z.infer<typeof PresetInfo>

export const ProfileInfo = z.object({
  name: z.string(),
  model: z.string().nullable(),
  gate: GateReport,
  problem: z.string().nullable(),
})
export type ProfileInfo = z.infer<typeof ProfileInfo>

export const HostInfo = z.object({
  version: z.string(),
  mode: z.enum(['desktop', 'serve']),
  /** Last part of the workspace's path. */
  workspace: z.string(),
  formats: z.array(z.object({ name: z.string(), label: z.string() })),
  presets: z.array(PresetInfo),
  domainFiles: z.array(z.object({ name: z.string(), problem: z.string().nullable() })),
  profiles: z.array(ProfileInfo),
  nativeDialog: z.boolean(),
})
export type HostInfo = z.infer<typeof HostInfo>

export const Sample = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  /** What the sample is best opened with. */
  preset: z.string().nullable(),
  compare: z.string().nullable(),
  profile: z.string().nullable(),
})
export type Sample = z.infer<typeof Sample>

export const RecentFile = z.object({
  path: z.string(),
  name: z.string(),
  format: z.string(),
  openedAt: z.number(),
  turns: z.int(),
  missing: z.boolean(),
})
export type RecentFile = z.infer<typeof RecentFile>

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  preset: z.string(),
  domains: z.string(),
  profile: z.string().nullable(),
  tourSeen: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

/** What the shell tells the window: a file was handed over, a menu item or deep link was used. */
export const HostEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    source: OpenSource,
    turn: z.int().nullable(),
    tab: z.string().nullable(),
  }),
  z.object({ kind: z.literal('command'), command: z.string() }),
])
export type HostEvent = z.infer<typeof HostEvent>

/** The only bridge between window and host. Pure data: no Node, no DOM, no Electron. */
export const contract = {
  'host.info': { kind: 'call', in: nothing, out: HostInfo },
  'host.events': { kind: 'stream', in: nothing, out: HostEvent },
  'host.domains': {
    kind: 'call',
    in: z.object({ preset: z.string(), domains: z.string() }),
    out: z.object({ domains: z.array(DomainInfo), warnings: z.array(z.string()) }),
  },
  'settings.get': { kind: 'call', in: nothing, out: Settings },
  'settings.set': { kind: 'call', in: Settings.partial(), out: Settings },
  'library.list': {
    kind: 'call',
    in: nothing,
    out: z.object({ samples: z.array(Sample), recent: z.array(RecentFile) }),
  },
  'library.forget': { kind: 'call', in: z.object({ path: z.string() }), out: nothing },
  /** The native file dialog; null when cancelled. Refused where `nativeDialog` is false. */
  'dialog.open': { kind: 'call', in: nothing, out: z.object({ path: z.string().nullable() }) },
  /** Bytes of a dropped file, in order, base64, at most 1 MiB a chunk; the upload lives until opened or closed. */
  'upload.begin': {
    kind: 'call',
    in: z.object({ name: z.string().min(1).max(400), bytes: z.int().min(0) }),
    out: z.object({ upload: key }),
  },
  'upload.chunk': {
    kind: 'call',
    in: z.object({ upload: key, data: z.base64().max(1_500_000) }),
    out: z.object({ received: z.int() }),
  },
  'session.open': {
    kind: 'stream',
    in: z.object({ source: OpenSource }),
    out: z.discriminatedUnion('kind', [Progress, Opened]),
  },
  'session.close': { kind: 'call', in: z.object({ key }), out: nothing },
  'session.index': { kind: 'call', in: z.object(session), out: EventIndex },
  /** Replays one session; with `compare`, a second time with that configuration, and says what flips. */
  'session.replay': {
    kind: 'stream',
    in: z.object({ ...session, config: ReplayConfig, compare: ReplayConfig.nullable() }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({
        kind: z.literal('replayed'),
        columns: ReplayColumns,
        compare: ReplayColumns.nullable(),
        flips: z.array(Flip),
        elapsedMs: z.number(),
      }),
    ]),
  },
  'session.rows': {
    kind: 'call',
    in: z.object({
      ...session,
      from: z.int().min(0),
      to: z.int().min(0),
      maxChars: z.int().min(1).max(200_000),
      /** Signals of this configuration are marked. */
      config: ReplayConfig,
    }),
    out: z.object({ rows: z.array(EventRow) }),
  },
  'session.trace': {
    kind: 'call',
    in: z.object({ ...session, turn: z.int().min(0), config: ReplayConfig }),
    out: TurnTrace,
  },
  /** Self-signals, query types and prompt sizes of a whole session, for the timeline's lanes. */
  'session.oracle': {
    kind: 'call',
    in: z.object({ ...session, config: ReplayConfig }),
    out: z.object({ responses: ResponseColumns, queries: QueryColumns }),
  },
  /** One response of the agent: its self-signal, diagnostics, state, claims. Refused for other events. */
  'session.response': {
    kind: 'call',
    in: z.object({ ...session, seq: z.int().min(0), config: ReplayConfig }),
    out: z.object({ text: z.string(), trace: SelfSignalTrace }),
  },
  /**
   * The prompt that a person's message would have been answered with; for another event, that of the
   * message before it. `previous` compares with the prompt of the message before: what it removed
   * and added since. `compare` compares with the same message under another configuration: what that
   * one removes and adds. Null also where a prompt could not be composed.
   */
  'session.prompt': {
    kind: 'call',
    in: z.object({
      ...session,
      seq: z.int().min(0),
      config: ReplayConfig,
      compare: ReplayConfig.nullable(),
    }),
    out: z.object({
      query: QueryTrace,
      prompt: PromptTrace,
      previous: z.object({ seq: z.int(), diff: z.array(DiffPart) }).nullable(),
      compare: z.object({ preset: z.string(), diff: z.array(DiffPart) }).nullable(),
    }),
  },
  /** Composes a prompt for a text typed by hand; `drafts` replace the files of segments by id, unsaved. */
  'playground.compose': {
    kind: 'call',
    in: z.object({
      preset: z.string(),
      text: z.string().max(100_000),
      /** Null = classify the text. */
      type: QueryType.nullable(),
      drafts: z.record(z.string(), z.string().max(200_000)),
      variables: z.record(z.string(), z.string()),
      /** Null = the preset's. */
      budget: z.int().min(0).max(10_000_000).nullable(),
    }),
    out: z.object({
      query: QueryClassification,
      prompt: ComposedPrompt.nullable(),
      problem: z.string().nullable(),
      /** Every segment of the registry with the text of its file. */
      sources: z.array(z.object({ id: z.string(), path: z.string(), text: z.string() })),
    }),
  },
  /** The record as it stands in the file, at most 256 KiB of it. */
  'session.raw': {
    kind: 'call',
    in: z.object({ ...session, seq: z.int().min(0) }),
    out: z.object({
      line: z.int(),
      offset: z.int(),
      length: z.int(),
      text: z.string(),
      truncated: z.boolean(),
    }),
  },
  'session.problems': {
    kind: 'call',
    in: z.object({ key }),
    out: z.object({ problems: z.array(LineProblem), total: z.int() }),
  },
  /** Bytes of a line that could not be used, readable. */
  'session.line': {
    kind: 'call',
    in: z.object({ key, offset: z.int().min(0), length: z.int().min(0) }),
    out: z.object({ text: z.string(), truncated: z.boolean() }),
  },
  /** Plain text, case-insensitive, over data (not rendered rows); at most 1,000 events. */
  'session.find': {
    kind: 'call',
    in: z.object({ ...session, text: z.string().min(1).max(500) }),
    out: z.object({ seqs: Column, more: z.boolean() }),
  },
  /** Every step event of a session; `words` say which tiers are cut and which really overflow. */
  'bundle.session': {
    kind: 'call',
    in: z.object({ ...session, choice: BundleChoice }),
    out: z.object({ steps: z.array(StepBar), words: z.array(z.string()) }),
  },
  /** The step at an event. Refused for other events. */
  'bundle.step': {
    kind: 'call',
    in: z.object({ ...session, seq: z.int().min(0), choice: BundleChoice }),
    out: BuiltStep,
  },
  /** A bundle by hand. */
  'bundle.build': {
    kind: 'call',
    in: z.object({ record: StepRecord, choice: BundleChoice }),
    out: BuiltStep,
  },
  'bundle.library': { kind: 'call', in: nothing, out: BundleLibrary },
} as const satisfies Contract
export type TurnscopeContract = typeof contract
