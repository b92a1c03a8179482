/**
 * Turnscope for scripts and notebooks: sessions are replayed by the functions that the workbench and the command line
 * use, with the same answers. Node 20 and later, as `import` or `require`. Turns count from 1, as everywhere that
 * people see them.
 */

/**
 * The configuration that decides. Values are names of files in the workspace, names of shipped files, or file paths.
 */
export interface Config {
  /** Default: `recommended`. */
  readonly preset?: string
  /** Default: `default`. */
  readonly domains?: string
  /** Model profile; default: none. */
  readonly profile?: string | null
}

/** A folder with `profiles/`, and what ships behind it. Nothing that needs trust is used. */
export interface Workspace {
  /** Absolute path. */
  readonly folder: string
}

/** One turn, as it was decided. */
export interface Turn {
  /** From 1. */
  readonly turn: number
  /** Number of the event in its session, from 0, as labels name it. */
  readonly seq: number
  readonly kind: 'user' | 'agent' | 'tool_result'
  readonly text: string
  /** Epoch milliseconds; null if the transcript has no times. */
  readonly at: number | null
  /** Domain in force, after momentum. */
  readonly primary: string
  readonly secondary: string | null
  /** Score of the primary and of the secondary on this text. */
  readonly confidence: number
  readonly secondaryConfidence: number | null
  /** Primary of the text alone, before momentum. */
  readonly scored: string
  /** Names of the compound, sorted, with + between them. */
  readonly signature: string
  /** Turns that the signature has been in force. */
  readonly momentum: number
  readonly event: 'same' | 'accept' | 'hold' | 'resist' | 'widen' | 'break'
  /** Domain that momentum kept out; null if none. */
  readonly resisted: string | null
  /** Rule of the momentum, as `core/SPEC.md` numbers it. */
  readonly rule: string
  /** Text that would have been injected; '' if none. */
  readonly enrichment: string
}

export interface Session {
  /** Its place in the file, from 1. */
  readonly session: number
  readonly id: string
  readonly title: string
  /** `main`, or the sub-agent. */
  readonly thread: string
  readonly turns: readonly Turn[]
}

export interface Replayed {
  readonly file: string
  readonly format: string
  readonly sessions: readonly Session[]
  /** Lines that could not be used. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly message: string }>
  /** Warnings about the configuration: a profile that is missing, or that gates nothing. */
  readonly warnings: readonly string[]
  /** Patterns that took too long and count as not matched. */
  readonly cutOff: ReadonlyArray<{ readonly domain: string; readonly pattern: string }>
}

/** One turn that two configurations decide differently. */
export interface Flip {
  readonly session: number
  readonly turn: number
  readonly seq: number
  readonly text: string
  readonly base: Pick<Turn, 'primary' | 'secondary'>
  readonly head: Pick<Turn, 'primary' | 'secondary'>
  readonly fields: ReadonlyArray<'primary' | 'secondary' | 'signature' | 'enrichment'>
  /** `momentum`: the text itself is decided alike. */
  readonly cause: 'direct' | 'momentum'
  /** Turn at which the difference started. */
  readonly since: number
}

/** An expected failure: what went wrong, where, and what to do about it. */
export class TurnscopeError extends Error {
  readonly what: string
  readonly where: string
  readonly do: string
}

/**
 * Opens a workspace. Throws a `TurnscopeError` if the folder does not exist.
 * @param folder default: the shipped one
 */
export function openWorkspace(folder?: string): Workspace

/** Replays every session of a transcript. Throws a `TurnscopeError` where file or configuration cannot be used. */
export function replay(workspace: Workspace, file: string, config?: Config): Promise<Replayed>

/**
 * The whole reason of one turn: what `turnscope explain FILE#TURN --json` prints.
 * @param session its place in the file, from 1
 */
export function explain(
  workspace: Workspace,
  file: string,
  turn: number,
  options?: Config & { readonly session?: number },
): Promise<Readonly<Record<string, unknown>>>

/** Turns of a transcript that two configurations decide differently. */
export function flips(
  workspace: Workspace,
  file: string,
  base: Config,
  head: Config,
): Promise<readonly Flip[]>
