import type { AnyCommand } from './command.ts'

/** A command by its name; its modules are loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string
  readonly load: () => Promise<AnyCommand>
}

/** [F98] All commands, in the order of `--help`. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'replay', load: async () => (await import('./replay.ts')).replay },
  { name: 'explain', load: async () => (await import('./explain.ts')).explain },
  { name: 'try', load: async () => (await import('./try.ts')).trying },
  { name: 'open', load: async () => (await import('./serve.ts')).open },
  { name: 'serve', load: async () => (await import('./serve.ts')).serve },
  { name: 'compose', load: async () => (await import('./compose.ts')).compose },
  { name: 'bundle', load: async () => (await import('./bundle.ts')).bundle },
  { name: 'check', load: async () => (await import('./check.ts')).check },
  { name: 'queue', load: async () => (await import('./queue.ts')).queue },
  { name: 'propose', load: async () => (await import('./propose.ts')).propose },
  { name: 'weights', load: async () => (await import('./weights.ts')).weights },
  { name: 'agreement', load: async () => (await import('./agreement.ts')).agreement },
  { name: 'diff', load: async () => (await import('./diff.ts')).diff },
  { name: 'lint', load: async () => (await import('./lint.ts')).lint },
  { name: 'stats', load: async () => (await import('./stats.ts')).stats },
  { name: 'convert', load: async () => (await import('./convert.ts')).convert },
  { name: 'export', load: async () => (await import('./export.ts')).exporting },
  { name: 'draw', load: async () => (await import('./draw.ts')).draw },
  { name: 'find', load: async () => (await import('./find.ts')).find },
  { name: 'library', load: async () => (await import('./library.ts')).library },
  { name: 'index', load: async () => (await import('./probe.ts')).index },
  { name: 'probe', load: async () => (await import('./probe.ts')).probe },
  { name: 'coach', load: async () => (await import('./coach.ts')).coach },
  { name: 'eval', load: async () => (await import('./eval.ts')).evaluate },
  { name: 'evaluate', load: async () => (await import('./evaluate.ts')).evaluateLabels },
  { name: 'tour', load: async () => (await import('./tour.ts')).tour },
  { name: 'trust', load: async () => (await import('./trust.ts')).trust },
]

/**
 * [F98] The commands that a command line needs: the one that it names, all where it asks for help or names
 * none that exists, so that every command is listed and a mistyped one gets its suggestion.
 */
export function commandsFor(first: string | undefined): Promise<readonly AnyCommand[]> {
  const one = COMMANDS.find(({ name }) => name === first)
  return Promise.all((one === undefined ? COMMANDS : [one]).map(({ load }) => load()))
}
