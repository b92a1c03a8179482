import { setFlagsFromString } from 'node:v8'

/**
 * [C24] V8 runs a pattern from byte code at first and compiles it at its second run. Making the byte code of long
 * patterns takes four times as long as compiling them: they are compiled at once, from now on and in all threads.
 *
 * The number of runs from byte code becomes 0 for patterns that are new. `--no-regexp-tier-up` would concern those too
 * that have run, in all threads: V8 ends the process (SIGSEGV) when one of them is interrupted, by a collection or a
 * time limit, because it takes the entry of its byte code interpreter for compiled code.
 */
export function compilePatternsAtOnce(): void {
  setFlagsFromString('--regexp-tier-up-ticks=0')
}
