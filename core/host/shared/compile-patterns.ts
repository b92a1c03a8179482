import { setFlagsFromString } from 'node:v8'

/**
 * [C24] V8 runs a pattern from byte code at first and compiles it at its second run. Making the byte code of long
 * patterns takes four times as long as compiling them: they are compiled at once, from now on and in all threads.
 */
export function compilePatternsAtOnce(): void {
  setFlagsFromString('--no-regexp-tier-up')
}
