import type * as Main from '../core/cli/main.ts'
import type * as Serve from '../core/serve.ts'

interface Entries {
  readonly main: typeof Main
  readonly serve: typeof Serve
}

/** [F100] Path of the module that a start loads: the built one while it is current, else the source. */
export function entryOf(name: keyof Entries, root?: string): string
/** Loads that module. */
export function load<K extends keyof Entries>(name: K): Promise<Entries[K]>
/**
 * Lets Node cache compiled code: in a clone's `node_modules/.cache`, else in the account's cache, unless
 * NODE_COMPILE_CACHE names a folder.
 */
export function keepCompiled(root?: string): void
