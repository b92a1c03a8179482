import { existsSync } from '../../host/platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isNpmPackage } from '../../host/probe/embed/shipped-model.ts'
import { modelTerms } from '../../host/probe/embed/model-parts.ts'
import { partsFolder } from '../../host/workspace/personal.ts'
import { notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { getModel } from './get-model.ts'
import { flag } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'

/** [F125] `get model`: fetches the parts that the npm package leaves out. Asks first, unless `--yes` is given. */
export const get = command({
  name: 'get',
  summary: 'get a part that the npm package leaves out: model, for the semantic probe',
  args: [['<part>', 'model']],
  options: { yes: flag('--yes', 'do not ask') },
  run: async ({ yes }, part) => {
    if (part !== 'model') {
      throw new CommandError({ what: 'there is no such part', where: part, do: 'There is: model' })
    }
    if (!isNpmPackage(HOME)) {
      await print('The model is here already: a clone builds it, the desktop application has it.\n')
      return
    }
    if (yes === true || (await agreed())) await fetchModel()
    else process.exitCode = EXIT.usage
  },
})

/**
 * [F125] Runs before a probe with the model that ships. If the model is missing and the terminal is interactive, offers
 * to fetch it. If not, the probe itself reports the missing model.
 */
export async function offerModel(): Promise<void> {
  const parts = partsFolder(process.env)
  if (!isNpmPackage(HOME) || parts === null || existsSync(join(parts, 'model'))) return
  if (process.stdin.isTTY && process.stderr.isTTY && (await agreed())) await fetchModel()
}

async function agreed(): Promise<boolean> {
  notice(modelTerms())
  if (!process.stdin.isTTY) {
    notice('nothing was fetched: there is no terminal to ask in; --yes says yes')
    return false
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/iu.test((await asking.question('Fetch it now? [y/N] ')).trim())
  } finally {
    asking.close()
  }
}

async function fetchModel(): Promise<void> {
  const parts = partsFolder(process.env)
  if (parts === null) throw new CommandError(NO_FOLDER)
  valueOrFail(await getModel(parts))
  notice(`the model is in ${parts}; remove that folder to be rid of it`)
}

const NO_FOLDER = {
  what: 'this account has no folder for data',
  where: 'HOME',
  do: 'Set HOME or XDG_DATA_HOME',
}
