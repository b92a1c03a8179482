/**
 * Writes the JSON Schemas of our file formats from their zod schemas and the words about their fields, so that
 * editors complete and explain them and CI checks them. `--check` writes nothing and exits 1 when a file is not current.
 */
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { SCHEMA_FILES, type SchemaName } from '../core/host/workspace/schema-files.ts'
import { type Annotated, annotate } from './schemas/annotate.ts'
import { DESCRIBED } from './schemas/table.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A schema with its descriptions. `input`: the form that users write, before defaults. */
export function describedSchema(name: SchemaName): Annotated {
  const { schema, words } = DESCRIBED[name]
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return annotate({ ...json }, words)
}

/** The text of one schema file. */
export function schemaText(name: SchemaName, title: string, isByHand: boolean): string {
  const { schema, ...rest } = describedSchema(name)
  const lacks = [...(isByHand ? rest.missing : []), ...rest.unused]
  if (lacks.length > 0) {
    throw new Error(
      `scripts/schemas/words/ and ${name} differ in these fields: ${lacks.join(', ')}`,
    )
  }
  return `${JSON.stringify({ ...schema, title }, null, 2)}\n`
}

function main(check: boolean): number {
  let stale = 0
  mkdirSync(join(root, 'schemas'), { recursive: true })
  for (const { name, title, byHand } of SCHEMA_FILES) {
    const path = join(root, 'schemas', `${name}.schema.json`)
    const text = schemaText(name, title, byHand)
    if (!check) writeFileSync(path, text)
    else if (readOr(path) !== text) {
      stale += 1
      process.stderr.write(
        `schemas/${name}.schema.json is not current: run node scripts/schemas.ts\n`,
      )
    }
  }
  return stale > 0 ? 1 : 0
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.includes('--check'))
}
