import { hash } from 'node:crypto'
import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { plainJson } from '../../platform/terminal.ts'
import { RULE_HELP } from './rule-help.ts'

/** Something that was found, at its place in a file. */
export interface SarifResult {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly text: string
  /** Absolute path; null where no file can be named. */
  readonly file: string | null
  /** From 1; null = the file as a whole. */
  readonly line: number | null
  readonly column: number | null
  /** What makes it the same finding in the next run, whatever line it is on then. */
  readonly identity: string
}

export interface SarifRule {
  readonly id: string
  readonly text: string
}

interface SarifRun {
  readonly version: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** What could not be looked at: no finding, and the run is not complete. */
  readonly errors: readonly string[]
  /** Folder that paths are written relative to. */
  readonly root: string
}

/** [T48] A run as SARIF 2.1.0. */
export function sarifText({ version, rules, results, errors, root }: SarifRun): string {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Turnscope',
            version,
            rules: rules.map(ruleOf),
          },
        },
        // The folder itself is not named: a report is read on other machines, where it is another one.
        originalUriBaseIds: { [ROOT]: { description: { text: 'The folder of the run.' } } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: errors.length === 0,
            toolExecutionNotifications: errors.map((text) => ({
              level: 'error',
              message: { text },
            })),
          },
        ],
        results: results.map((result) => ({
          ruleId: result.rule,
          ruleIndex: indexes.get(result.rule) ?? -1,
          level: result.level,
          message: { text: result.text },
          locations: locationsOf(result, root),
          partialFingerprints: { 'turnscopeFinding/v1': fingerprintOf(result) },
        })),
      },
    ],
  }
  return `${plainJson(JSON.stringify(log, null, 2))}\n`
}

/** [F188] Relative places are below this, as GitHub's code scanning and viewers of SARIF know it. */
const ROOT = '%SRCROOT%'

function ruleOf({ id, text }: SarifRule) {
  const help = RULE_HELP[id] ?? 'The message of the finding says what to do.'
  return {
    ...{ id, name: nameOf(id), shortDescription: { text }, fullDescription: { text } },
    help: { text: `${text} ${help}`, markdown: `${text}\n\n${help}` },
  }
}

/** `never-fired` → `NeverFired`: a name that is no second id. */
function nameOf(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/gu, (_, letter: string) => letter.toUpperCase())
}

function fingerprintOf({ rule, identity }: SarifResult): string {
  return hash('sha256', `${rule}\n${identity}`).slice(0, 32)
}

function locationsOf({ file, line, column }: SarifResult, root: string) {
  if (file === null) return []
  const region =
    line === null
      ? {}
      : { region: { startLine: line, ...(column === null ? {} : { startColumn: column }) } }
  return [{ physicalLocation: { artifactLocation: placeOf(file, root), ...region } }]
}

/** Relative to the root where the file is below it, as viewers of pull requests need it. */
function placeOf(
  named: string,
  root: string,
): { readonly uri: string; readonly uriBaseId?: string } {
  // Half a character has no place in an address.
  const file = named.toWellFormed()
  const below = relative(root, file)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    return { uri: pathToFileURL(file).href }
  return { uri: below.split(sep).map(encodeURIComponent).join('/'), uriBaseId: ROOT }
}
