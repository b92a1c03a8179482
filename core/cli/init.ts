import { resolve } from 'node:path'
import { counted } from '../engine/result.ts'
import { type MadeYours, makeYours } from '../host/files/make-yours.ts'
import { jsonLine } from '../host/shared/terminal.ts'
import { HOME } from '../place.ts'
import { command } from './command.ts'
import { print, valueOrFail } from './output.ts'
import { JSON_LINE } from './options.ts'

/** [F122] `init [DIR]`: a workspace of one's own, from what ships. */
export const init = command({
  name: 'init',
  summary: 'copy the domains, presets and prompts that ship into a folder, to make them yours',
  args: [['[folder]', 'folder that becomes a workspace (default: the current one)']],
  options: JSON_LINE,
  run: async ({ json }, folder = '.') => {
    const target = resolve(folder)
    const made = valueOrFail(await makeYours(HOME, target))
    await print(`${json === true ? jsonLine(made) : said(made)}\n`)
  },
})

function said({ folder, copied, kept }: MadeYours): string {
  const left = kept === 0 ? '' : `; ${counted(kept, 'file')} that were there stayed as they are`
  return `${folder}: ${counted(copied, 'file')} copied into profiles/ and prompts/${left}. Commands started in this folder use them`
}
