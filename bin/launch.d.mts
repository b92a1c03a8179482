/** Address of the module that a start loads: the built one while it is current (F100), else the source. */
export function entryOf(name: 'main' | 'serve', root?: string): string
/** Names of the modules of a folder, without tests, sorted. */
export function modulesIn(folder: string): string[]
/** Lets Node keep what it compiles, in `node_modules/.cache` unless NODE_COMPILE_CACHE says where. */
export function keepCompiled(): void
