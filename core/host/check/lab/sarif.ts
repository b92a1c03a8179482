import { hash } from 'node:crypto'
import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { plainJson } from '../../platform/terminal.ts'

/** Something that was found, at its place in a file. */
export interface SarifResult {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly text: string
  /** Absolute path; null if no file can be named. */
  readonly file: string | null
  /** From 1; null = the file as a whole. */
  readonly line: number | null
  readonly column: number | null
  /** Identifies the same finding in later runs, even if its line changes. */
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
  /** Content that could not be examined. It is no finding, but the run is incomplete. */
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
        // The folder itself is not named, because a report is read on other machines with other paths.
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
    id,
    name: nameOf(id),
    shortDescription: { text },
    fullDescription: { text },
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

/** Relative to the root if the file is below it, as pull request viewers require. */
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

/**
 * [F188] Remedy for findings of each rule, shown by SARIF viewers and code scanning next to the rule. The remedy for a
 * single finding is in its message.
 */
export const RULE_HELP: Readonly<Record<string, string>> = {
  'wrong-primary':
    'Open the turn and see which signals fired: `turnscope explain FILE#TURN`. Narrow the signal at this line, add one to the domain that the label names, or change the label if it is wrong.',
  'forbidden-domain':
    'Open the turn with `turnscope explain FILE#TURN`. Narrow the signal at this line so that it does not match, or give it a counterpart that excludes the domain.',
  minimum:
    'See the labelled turns that are wrong in the output of `turnscope check`, and mend the signals that most of them share.',
  flips:
    'List the turns with `turnscope diff`, and see whether each change is wanted. Then raise --max-flips, or take the edit back that flips them.',
  'never-fired': 'Test the pattern with `turnscope try`, widen it, or delete the signal.',
  'cannot-match': 'Correct the pattern. The message names the part that no text satisfies.',
  unreachable: 'Delete what nothing reaches, or remove what stands before it.',
  'fires-everywhere':
    'Narrow the pattern: ask for a verb and its object, or for a place in the text.',
  'other-domains': 'Move the signal to the domain on whose turns it fires, or narrow it.',
  shadowed: 'Delete the signal, or give it what the others lack.',
  duplicate: 'Delete one of the two: a score counts signals, so both together count twice.',
  subsumed: 'Delete the narrower signal, or give it a group with the other one.',
  'no-word-boundary': String.raw`Put \b around the words, unless parts of longer words are wanted.`,
  untested: 'Label a turn on which the signal matters, so that a change of it is noticed.',
  'unknown-domain': 'Correct the name, or add it to the aliases of the domain.',
  'gates-nothing': 'Correct the names in `disabled_domains`, or map them with `aliases`.',
  dialect: 'Write what both dialects read alike, or say `dialect:` beside the pattern.',
  'super-linear':
    'Bound the repetition, for example {0,200} in the place of *, or make what follows it distinct.',
  drift: 'Bring the files to the same domains, or say why they differ.',
  'momentum-lock':
    'See the turns that were held off. Lower `momentumThreshold`, or let the domain break with `breakMinSignals`.',
  'enrichment-no-help':
    'Rewrite the enrichment of the domain, or disable it for this model in its profile.',
  dispatch: 'Build the prompt with the bundle factory: `turnscope bundle --step N`.',
  template: 'Correct the segment; the message says where it breaks.',
  'undefined-variable': 'Supply the variable, or give it a default in the segment.',
  'self-signal':
    'See the response; instruct the agent to write one whole self-signal, outside of fences.',
  verdict: 'Look at the output yourself, and correct the prompt or the rules of the coach.',
  'step-results': 'Add the metric to the results, or its name to `key_metrics` of the step.',
}
