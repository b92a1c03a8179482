import { existsSync, mkdir } from '../../host/platform/files/fenced-fs.ts'
import { join, resolve } from 'node:path'
import { counted } from '../../engine/result.ts'
import { editorSettings } from '../../host/workspace/editor-settings.ts'
import { type MadeYours, makeYours } from '../../host/workspace/make-yours.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { changeTrust } from '../../host/platform/trust/trust-file.ts'
import { print, valueOrFail } from '../kit/output.ts'
import { placeOf, stateOf } from '../trust/trusted.ts'
import { JSON_LINE } from '../kit/options.ts'

/** [F122] `init [DIR]`: a workspace of one's own, from what ships. */
export const init = command({
  name: 'init',
  summary: 'copy the domains, presets and prompts that ship into a folder, to make them yours',
  args: [['[folder]', 'folder that becomes a workspace (default: the current one)']],
  options: JSON_LINE,
  run: async ({ json }, folder = '.') => {
    const target = resolve(folder)
    const isNew = !OF_A_WORKSPACE.some((name) => existsSync(join(target, name)))
    const made = valueOrFail(await makeYours(HOME, target))
    const trusted = isNew && (await trustWhatItNames(target))
    const editor = await setUpEditor(target)
    await print(
      `${json === true ? jsonLine({ ...made, editor, trusted }) : said(made, { editor, trusted })}\n`,
    )
  },
})

/** Folders in which another author could have named addresses, variables or drivers before. */
const OF_A_WORKSPACE = ['profiles', 'prompts', '.turnscope'] as const

/**
 * [F122] The author of a new workspace trusts its content: copies of the shipped files, and git of the repository around
 * it. True if that was kept; a folder that named something before is for `turnscope trust` to decide.
 */
async function trustWhatItNames(workspace: string): Promise<boolean> {
  const place = placeOf({ workspace })
  const { items, problem } = await stateOf(workspace)
  if (problem !== null || place.file === null) return false
  if (items.length > 0) await changeTrust(place, Date.now(), () => items)
  return true
}

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

const TRUST_IT =
  '; it held files before, so it is not trusted yet: turnscope trust --list says what it names'

interface Said {
  readonly editor: keyof typeof EDITOR
  readonly trusted: boolean
}

function said({ folder, copied, kept }: MadeYours, { editor, trusted }: Said): string {
  const left = kept === 0 ? '' : `; ${counted(kept, 'file')} that were there stayed as they are`
  return `${folder}: ${counted(copied, 'file')} copied into profiles/, prompts/ and schemas/${left}. Commands started in this folder use them; ${EDITOR[editor]}${trusted ? '' : TRUST_IT}`
}
