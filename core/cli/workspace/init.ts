import { existsSync, mkdir } from '../../host/platform/files/fenced-fs.ts'
import { join, resolve } from 'node:path'
import { counted } from '../../engine/result.ts'
import { editorSettings } from '../../host/workspace/editor-settings.ts'
import { type MadeYours, makeYours } from '../../host/workspace/make-yours.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { print, valueOrFail } from '../kit/output.ts'
import { JSON_LINE } from '../kit/options.ts'

/** [F122] `init [DIR]`: a workspace of one's own, from what ships. */
export const init = command({
  name: 'init',
  summary: 'copy the domains, presets and prompts that ship into a folder, to make them yours',
  args: [['[folder]', 'folder that becomes a workspace (default: the current one)']],
  options: JSON_LINE,
  run: async ({ json }, folder = '.') => {
    const target = resolve(folder)
    const made = valueOrFail(await makeYours(HOME, target))
    const editor = await setUpEditor(target)
    await print(`${json === true ? jsonLine({ ...made, editor }) : said(made, editor)}\n`)
  },
})

/**
 * [F187] VS Code reads the schema of each file from here. Existing settings are the user's own and are not rewritten.
 */
async function setUpEditor(root: string): Promise<'written' | 'kept'> {
  const path = join(root, '.vscode', 'settings.json')
  if (existsSync(path)) return 'kept'
  await mkdir(join(root, '.vscode'), { recursive: true })
  await writeOutput(path, [editorSettings('./schemas')], { root })
  return 'written'
}

const EDITOR = {
  written: '.vscode/settings.json maps them to their schemas',
  kept: '.vscode/settings.json was there and stays; turnscope schema --settings prints what to add to it',
} as const

function said({ folder, copied, kept }: MadeYours, editor: keyof typeof EDITOR): string {
  const left = kept === 0 ? '' : `; ${counted(kept, 'file')} that were there stayed as they are`
  return `${folder}: ${counted(copied, 'file')} copied into profiles/, prompts/ and schemas/${left}. Commands started in this folder use them; ${EDITOR[editor]}`
}
