import { setFlagsFromString } from 'node:v8'

/**
 * [C24] V8 runs a pattern from byte code at first and compiles it at its second run. For long patterns, generating byte
 * code takes four times as long as compiling. From now on, patterns are compiled immediately, in all threads.
 *
 * The number of byte-code runs becomes 0 for new patterns. `--no-regexp-tier-up` would also affect patterns that have
 * already run, in all threads. V8 then ends the process (SIGSEGV) when a collection or a time limit interrupts one,
 * because it mistakes the entry of its byte code interpreter for compiled code.
 */
export function compilePatternsAtOnce(): void {
  setFlagsFromString('--regexp-tier-up-ticks=0')
}
