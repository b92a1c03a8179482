import { SCHEMA_FILES, type SchemaFile } from './schema-files.ts'

/** Name of a schema's file in `schemas/`. */
export const schemaFileName = ({ name }: Pick<SchemaFile, 'name'>): string => `${name}.schema.json`

/**
 * [F187] VS Code settings that assign schemas to the files of a workspace: `yaml.schemas` for the YAML extension,
 * `json.schemas` for JSON. Files of JSON lines have none, because an editor treats such a file as a single document.
 * @param folder folder of the schemas, as the settings name it: `./schemas`, or an absolute path
 */
export function editorSettings(folder: string): string {
  const base = folder.replaceAll('\\', '/').replace(/\/$/u, '')
  const all: readonly SchemaFile[] = SCHEMA_FILES
  const of = (form: SchemaFile['form']) =>
    all.filter((each) => each.form === form && each.files.length > 0)
  const settings = {
    'yaml.schemas': Object.fromEntries(
      of('yaml').map((each) => [`${base}/${schemaFileName(each)}`, each.files]),
    ),
    'json.schemas': of('json').map((each) => ({
      fileMatch: each.files,
      url: `${base}/${schemaFileName(each)}`,
    })),
  }
  return `${JSON.stringify(settings, null, 2)}\n`
}
