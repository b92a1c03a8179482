import { InvalidArgumentError } from 'commander'
import { rightCells } from '../kit/table.ts'
import type { ComposedPrompt, SegmentReport } from '../../engine/schema/prompt.ts'
import { type QueryClassification, QueryType } from '../../engine/schema/query.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import { composeForText } from '../../host/turns/session/playground.ts'
import { loadPresetOrPath } from '../../host/workspace/config-files.ts'
import { openPromptFiles } from '../../host/workspace/prompt-files.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { jsonLine } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { type Given, JSON_LINE, PRESET, WORKSPACE, oneOf, parsed } from '../kit/options.ts'
import { print, valueOrFail } from '../kit/output.ts'

type Variables = Readonly<Record<string, string>>

const OPTIONS = {
  type: oneOf('--type <type>', 'type of the query, instead of classifying', QueryType.options),
  budget: parsed(
    '--budget <tokens>',
    'most tokens of the prompt (default: as the preset says)',
    parseBudget,
  ),
  var: parsed(
    '--var <name=value>',
    'a variable of the templates, may be repeated',
    addVariable,
    {},
  ),
  ...PRESET,
  ...JSON_LINE,
  ...WORKSPACE,
}

/** `compose TEXT`: prints the query type of a text, and the prompt composed for it. */
export const compose = command({
  name: 'compose',
  summary: 'classify a text and compose its prompt: segments, tokens, warnings',
  args: [['<text>', 'what a person would write']],
  options: OPTIONS,
  run: runCompose,
})

async function runCompose(options: Given<typeof OPTIONS>, text: string): Promise<void> {
  const workspace = openWorkspace(options.workspace, HOME)
  const preset = valueOrFail(await loadPresetOrPath(workspace, options.preset)).value
  const { query, prompt } = composeForText({
    text,
    type: options.type ?? null,
    query: preset.query,
    prompt: { ...preset.prompt, budget: options.budget ?? preset.prompt.budget },
    files: openPromptFiles(workspace.roots),
    variables: options.var,
    estimators: { o200k_base: await loadO200k() },
  })
  const composed = valueOrFail(prompt)
  const shown =
    options.json === true ? jsonLine({ query, prompt: composed }) : formatCompose(query, composed)
  await print(`${shown.trimEnd()}\n`)
}

function parseBudget(text: string): number {
  if (/^\d{1,7}$/u.test(text)) return Number(text)
  throw new InvalidArgumentError('A budget is a whole number of tokens, at most 9999999.')
}

function addVariable(text: string, before: Variables = {}): Variables {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write NAME=VALUE.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Width of a column of sizes. */
const WIDTH = 12

function row(segment: SegmentReport, columns: number): string {
  const mark = segment.span === null ? '-' : '+'
  const sizes = rightCells(Object.values(segment.sizes ?? {}), WIDTH)
  return `${mark} ${segment.id.padEnd(14)}${sizes.padEnd(columns * WIDTH)}  ${segment.why}`
}

/** The answer as text: type and reason, a table of segments, missing variables, then the prompt. */
export function formatCompose(query: QueryClassification, prompt: ComposedPrompt): string {
  const keywords = query.keywords.length > 0 ? ` (${query.keywords.join(', ')})` : ''
  const missing = prompt.segments.flatMap(({ id, variables, span }) =>
    span === null ? [] : (variables?.missing ?? []).map((name) => `${id} needs "${name}"`),
  )
  const names = Object.keys(prompt.sizes)
  return [
    `type        ${query.type}, confidence ${query.confidence.toFixed(2)}${keywords}`,
    `budget      ${prompt.tokenEstimate} of ${prompt.budget} tokens`,
    ...prompt.warnings.map((warning) => `warning     ${warning}`),
    ...missing.map((what) => `variable    ${what}: it is empty`),
    '',
    `${' '.repeat(16)}${rightCells(names, WIDTH)}`,
    ...prompt.segments.map((segment) => row(segment, names.length)),
    '',
    prompt.content,
  ].join('\n')
}
