import { join } from 'node:path'
import { createUploads, type Uploads } from '../../host/uploads/main/uploads.ts'
import { carryLabels } from '../../host/workspace/content-labels.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { RpcError } from '../../wire/rpc.ts'
import type { StoredUpload } from '../../wire/uploads.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { type Given, WORKSPACE, flag, text } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'

const OPTIONS = {
  remove: text(
    '--remove <hash>',
    'remove one, by the first 8 or more digits of its hash; its labels stay. Close it in windows first',
  ),
  ...WORKSPACE,
  json: flag('--json', 'one line of JSON for each'),
}

/** [I96] `uploads`: files that browsers sent to this workspace. */
export const uploads = command({
  name: 'uploads',
  summary: 'files that the workspace keeps a copy of: list or remove them',
  options: OPTIONS,
  run: async (options) => {
    const workspace = openWorkspace(options.workspace, HOME)
    const stored = createUploads(join(workspace.root, '.turnscope'), {
      carryLabels: (from, to) => carryLabels(workspace, from, to),
    })
    if (options.remove === undefined) await list(stored, options)
    else await remove(stored, options.remove)
  },
})

async function list(stored: Uploads, { json }: Given<typeof OPTIONS>): Promise<void> {
  const files = await stored.list()
  for (const file of files) await print(`${json === true ? jsonLine(file) : row(file)}\n`)
  if (files.length === 0) notice('this workspace has no uploads')
}

async function remove(stored: Uploads, hash: string): Promise<void> {
  try {
    const { name } = await stored.remove(hash)
    notice(`removed ${name}`)
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'REFUSED') throw error
    const { what, where = hash, do: advice = '' } = error
    throw new CommandError({ what, where, do: advice })
  }
}

function row({ hash, bytes, usedAt, name }: StoredUpload): string {
  const day = new Date(usedAt).toISOString().slice(0, 10)
  return `${hash.slice(0, 16)}  ${day}  ${String(bytes).padStart(12)}  ${name}`
}
