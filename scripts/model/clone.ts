import { formatProblem } from '../../core/engine/result.ts'
import { installPackages } from '../packages.ts'
import { runBuild } from './build.ts'

// [F128] Fetches the packages of the sentence model unless a clone has them, then builds the model. The first probe runs it:
//   node scripts/model/clone.ts [FOLDER]
const installed = installPackages('model')
if (installed.ok) await runBuild(process.argv[2])
else {
  process.stderr.write(`${formatProblem(installed.error).replaceAll('\n', ' ')}\n`)
  process.exitCode = 1
}
