import { mkdir } from '../../host/platform/files/fenced-fs.ts'
import { join, resolve } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import { editorSettings, schemaFileName } from '../../host/workspace/editor-settings.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import { readText } from '../../host/platform/files/regular-file.ts'
import { SCHEMA_FILES, type SchemaFile } from '../../host/workspace/schema-files.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { command } from '../kit/command.ts'
import { COMMON, type Given, flag, text } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'
import { createTable } from '../kit/table.ts'

const SHIPPED = join(HOME, 'schemas')

const OPTIONS = {
  path: flag('--path', 'print where the schema lies on this machine'),
  settings: flag('--settings', 'print settings of VS Code that map the files of a workspace'),
  write: text('--write <dir>', 'write all schemas into DIR/schemas, over older ones'),
  ...COMMON,
  json: flag('--json', 'the list as one line of JSON'),
}

/** [F187] `schema [NAME]`: the JSON Schema of a file, for editors and CI; no network is asked. */
export const schema = command({
  name: 'schema',
  summary:
    'print the JSON Schema of a file that you write: domains, presets, labels, formats, tours',
  args: [['[name]', 'which one (default: the list of all)']],
  options: OPTIONS,
  run: async (options, name) => {
    if (options.write !== undefined) return writeAll(options.write)
    if (options.settings === true) return print(editorSettings(SHIPPED))
    if (name === undefined) return list(options)
    const path = join(SHIPPED, schemaFileName(named(name)))
    await print(options.path === true ? `${path}\n` : await textAt(path))
  },
})

const ALL: readonly SchemaFile[] = SCHEMA_FILES

function named(name: string): SchemaFile {
  const found = ALL.find((each) => each.name === name)
  if (found !== undefined) return found
  throw new CommandError({
    what: 'there is no schema of this name',
    where: name,
    do: `They are: ${ALL.map((each) => each.name).join(', ')}`,
  })
}

async function textAt(path: string): Promise<string> {
  try {
    return await readText(path)
  } catch (error) {
    const what = `the schema cannot be read (${messageOf(error)})`
    throw new CommandError({ what, where: path, do: 'Install Turnscope again' })
  }
}

async function list({ json }: Given<typeof OPTIONS>): Promise<void> {
  if (json === true) return print(`${jsonLine(ALL)}\n`)
  const table = createTable<SchemaFile>(
    [
      { title: 'name', width: 15, of: ({ name }) => name },
      { title: 'files', width: 26, of: ({ files }) => files[0] ?? '' },
      { title: 'what it describes', width: 40, of: ({ title }) => title },
    ],
    160,
  )
  await print(`${[table.head(), ...ALL.map((each) => table.row(each))].join('\n')}\n`)
}

/** Overwrites older versions of our own schemas, because they are not edited by hand. */
async function writeAll(folder: string): Promise<void> {
  const root = resolve(folder)
  await mkdir(join(root, 'schemas'), { recursive: true })
  for (const each of ALL) {
    const name = schemaFileName(each)
    await writeOutput(join(root, 'schemas', name), [await textAt(join(SHIPPED, name))], { root })
  }
  await print(`${join(root, 'schemas')}: ${ALL.length} schemas\n`)
}
