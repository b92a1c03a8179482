import { bundle } from './bundle.ts'
import { check } from './check.ts'
import { coach } from './coach.ts'
import type { AnyCommand } from './command.ts'
import { compose } from './compose.ts'
import { convert } from './convert.ts'
import { diff } from './diff.ts'
import { evaluate } from './eval.ts'
import { explain } from './explain.ts'
import { exporting } from './export.ts'
import { find } from './find.ts'
import { library } from './library.ts'
import { lint } from './lint.ts'
import { index, probe } from './probe.ts'
import { replay } from './replay.ts'
import { open, serve } from './serve.ts'
import { stats } from './stats.ts'
import { trust } from './trust.ts'

/** All commands, in the order of `--help`. */
export const COMMANDS: readonly AnyCommand[] = [
  ...[replay, explain, open, serve],
  ...[compose, bundle, check, diff, lint, stats],
  ...[convert, exporting, find, library, index, probe, coach, evaluate],
  trust,
]
