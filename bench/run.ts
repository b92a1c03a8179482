/**
 * `npm run bench [-- belief bundle size …]`: prints Markdown tables. Figures of different implementations are
 * ratios within one run, because machines are noisy; answers are compared in the same run, and a
 * difference makes the exit code 1. No time makes it fail.
 */
import { cpus } from 'node:os'
import { benchBatch } from './batch.ts'
import { benchBelief } from './belief.ts'
import { benchBundle } from './bundle.ts'
import { benchHang } from './hang.ts'
import { benchHook } from './hook.ts'
import { benchLibrary } from './library.ts'
import { benchEdit } from './edit.ts'
import { benchFrames } from './frames.ts'
import { formatSection, type Section } from './measure.ts'
import { benchOpen } from './open.ts'
import { benchPrompts } from './prompts.ts'
import { benchPrepare } from './prepare.ts'
import { benchProbe } from './probe.ts'
import { benchScale } from './scale.ts'
import { benchRights } from './rights.ts'
import { benchScan } from './scan.ts'
import { benchThreads } from './scan-threads.ts'
import { benchSize } from './size.ts'
import { benchStart } from './start.ts'

const BENCHES = new Map<string, () => Section | Promise<Section>>([
  ['belief', benchBelief],
  ['scan', benchScan],
  ['prepare', benchPrepare],
  ['threads', benchThreads],
  ['batch', benchBatch],
  ['scale', benchScale],
  ['prompts', benchPrompts],
  ['bundle', benchBundle],
  ['probe', benchProbe],
  ['library', benchLibrary],
  ['edit', benchEdit],
  ['rights', benchRights],
  ['hang', benchHang],
  ['open', benchOpen],
  ['frames', benchFrames],
  ['size', benchSize],
  ['start', benchStart],
  ['hook', benchHook],
])

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHES.has(name))
if (unknown.length > 0) {
  process.stderr.write(
    `bench: no benchmark "${unknown.join('", "')}"; there are ${[...BENCHES.keys()].join(', ')}\n`,
  )
  process.exit(2)
}
const cpu = cpus()[0]?.model ?? 'unknown processor'
process.stdout.write(`Node ${process.versions.node}, ${cpus().length} × ${cpu.trim()}\n\n`)
for (const [name, bench] of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const section = await bench()
  process.stdout.write(`${formatSection(section)}\n\n`)
  if (section.failed) process.exitCode = 1
}
