import { resolve } from 'node:path'
import type { TrustState } from '../../engine/schema/trust.ts'
import { sentenceOf } from '../../engine/trust/decide.ts'
import { trustFileOf } from '../../host/platform/trust/place.ts'
import { changeTrust, readTrustFile } from '../../host/platform/trust/trust-file.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { type Given, COMMON, flag, parseFolder } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import { placeOf, stateOf } from './trusted.ts'

const OPTIONS = {
  list: flag('--list', 'show what PATH names, or without PATH what you trust; nothing is changed'),
  revoke: flag('--revoke', 'forget what was allowed'),
  preset: COMMON.preset,
  json: flag('--json', 'one line of JSON instead of text'),
}

/** [V38] `trust [PATH]`: the answer to the question of trust, in a terminal. It never asks. */
export const trust = command({
  name: 'trust',
  summary: 'trust a workspace: allow the addresses, variables, drivers and git that it names now',
  args: [['[path]', 'folder of the workspace (default: the current folder)']],
  options: OPTIONS,
  run: async (options, path) => {
    if (path === undefined && options.list === true) return listAll(options)
    const workspace = resolve(parseFolder(path ?? '.'))
    if (options.list === true) return listOne(workspace, options)
    if (options.revoke === true) return revoke(workspace, options)
    return grant(workspace, options)
  },
})

type Options = Given<typeof OPTIONS>

async function grant(workspace: string, options: Options): Promise<void> {
  const { items, problem } = await stateOf(workspace)
  // A list that is not whole must not be agreed to as if it were.
  if (problem !== null)
    throw new CommandError({ what: problem, where: workspace, do: 'Then trust the workspace' })
  if (items.length > 0) await changeTrust(placeOf({ workspace }), Date.now(), () => items)
  const after = await stateOf(workspace)
  const nothing = 'it names nothing that needs trust; nothing was kept'
  await show(after, options, items.length === 0 ? nothing : 'trusted with')
}

async function revoke(workspace: string, options: Options): Promise<void> {
  const { known } = await stateOf(workspace)
  if (known) await changeTrust(placeOf({ workspace }), Date.now(), () => null)
  await show(await stateOf(workspace), options, known ? 'not trusted any more' : 'was not trusted')
}

async function listOne(workspace: string, options: Options): Promise<void> {
  const state = await stateOf(workspace)
  await show(state, options, state.standing)
  if (state.standing === 'restricted') process.exitCode = EXIT.findings
}

async function show(state: TrustState, { json }: Options, said: string): Promise<void> {
  if (json === true) {
    await print(`${jsonLine(state)}\n`)
    return
  }
  if (state.problem !== null) notice(state.problem)
  const lines = state.items.map((item) => `  ${item.granted ? 'on ' : 'off'} ${sentenceOf(item)}`)
  await print([`${state.path}: ${said}`, ...lines, ''].join('\n'))
}

async function listAll({ json }: Options): Promise<void> {
  const { workspaces } = valueOrFail(readTrustFile(trustFileOf(process.env)))
  if (json === true) {
    for (const each of workspaces) await print(`${jsonLine(each)}\n`)
    return
  }
  for (const { path, items } of workspaces) {
    await print([path, ...items.map((item) => `  ${sentenceOf(item)}`), ''].join('\n'))
  }
  if (workspaces.length === 0) await print('You trust no workspace.\n')
}
