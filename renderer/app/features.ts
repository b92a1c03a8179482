import { focusDock } from './dock.ts'
import { budget } from '../features/budget/feature.ts'
import { bundle, stepRows } from '../features/bundle/feature.ts'
import { coach } from '../features/coach/feature.ts'
import { coachLab } from '../features/coach-lab/feature.ts'
import { collections } from '../features/collections/feature.ts'
import { compare } from '../features/compare/feature.ts'
import { decision } from '../features/decision/feature.ts'
import { context } from '../features/context/feature.ts'
import { dock } from './dock-feature.ts'
import { exporting } from '../features/export/feature.ts'
import { find } from '../features/find/feature.ts'
import { flips } from '../features/flips/feature.ts'
import { follow } from '../features/follow/feature.ts'
import { lab } from '../features/lab/feature.ts'
import { labCorpus } from '../features/lab-corpus/feature.ts'
import { label } from '../features/label/feature.ts'
import { library, librarySide } from '../features/library/feature.ts'
import { live } from '../features/live/feature.ts'
import { momentum } from '../features/momentum/feature.ts'
import { pictures } from '../features/pictures/feature.ts'
import { ownFormat } from '../features/own-format/feature.ts'
import { playground } from '../features/playground/feature.ts'
import { presenting } from '../features/presenter/feature.ts'
import { probe } from '../features/probe/feature.ts'
import { probeLab } from '../features/probe-lab/feature.ts'
import { problems } from '../features/problems/feature.ts'
import { prompt } from '../features/prompt/feature.ts'
import { queue } from '../features/queue/feature.ts'
import { raw } from '../features/raw/feature.ts'
import { results } from '../features/results/feature.ts'
import { scratchPad } from '../features/scratch/feature.ts'
import { selfSignals } from '../features/self-signals/feature.ts'
import { touring } from '../features/tours/feature.ts'
import { trust } from '../features/trust/feature.ts'
import { tune } from '../features/tune/feature.ts'
import { turns } from '../features/turns/feature.ts'
import { wrong } from '../features/wrong/feature.ts'
import { updates } from '../features/updates/feature.ts'
import { whyNot } from '../features/why-not/feature.ts'
import {
  type Command,
  type CommandRow,
  type CommandRows,
  type Feature,
  type Group,
  GROUPS,
} from './feature.ts'
import { OWN_LANES } from '../timeline/lanes/own.ts'
import { has } from './api.ts'
import { chooseTab } from './select.ts'
import { shell } from './shell-feature.ts'

/**
 * Every feature of the window. Their order is the order of tabs, lanes, dock panels, palette groups, and commands
 * within a group. Esc asks them from the end, because later features cover earlier ones.
 */
const ALL: readonly Feature[] = [
  turns,
  decision,
  whyNot,
  momentum,
  selfSignals,
  prompt,
  budget,
  context,
  find,
  wrong,
  dock,
  scratchPad,
  tune,
  flips,
  compare,
  label,
  queue,
  lab,
  labCorpus,
  playground,
  bundle,
  stepRows,
  exporting,
  pictures,
  library,
  librarySide,
  live,
  results,
  coachLab,
  coach,
  probeLab,
  collections,
  ownFormat,
  probe,
  raw,
  problems,
  follow,
  trust,
  updates,
  presenting,
  touring,
  shell,
]

/** [R14] An exported page has those that need nothing but the page. */
export const FEATURES = ALL.filter(
  ({ machine, needs }) =>
    (machine !== true || has('machine')) && (needs === undefined || has(needs)),
)

export const TABS = FEATURES.flatMap(({ tab }) => tab ?? [])
/** The timeline's own lanes, then those of the features. */
export const LANES = [...OWN_LANES, ...FEATURES.flatMap(({ lanes }) => lanes ?? [])]
/** How to read the lanes, in their order. */
export const LEGEND = LANES.map(({ legend }) => legend)
/** Lanes that are shown only on request. */
export const OPTIONAL_LANES = LANES.filter(({ isOptional }) => isOptional)
/** [U171] The optional lanes that come with a tab: those of its feature. */
export function lanesOfTab(tab: string): readonly string[] {
  const feature = FEATURES.find((one) => one.tab?.id === tab)
  return feature?.lanes?.flatMap(({ id, isOptional }) => (isOptional ? id : [])) ?? []
}
export const DOCK_PANELS = FEATURES.flatMap(({ dockPanel }) => dockPanel ?? [])
export const DIALOGS = FEATURES.flatMap(({ dialogs }) => Object.entries(dialogs ?? {}))

/** [U221] Keys that work only while a panel has the keyboard. */
export const PANE_KEYS = FEATURES.flatMap(({ paneKeys }) => paneKeys ?? [])

/** Screens in the place of the session. */
export const SCREENS = FEATURES.flatMap(({ screen }) => screen ?? [])

export const PALETTE = FEATURES.flatMap(({ palette }) => palette ?? [])

/** Commands that tabs and dock panels get for their keys. */
const MADE: Readonly<Partial<Record<Group, CommandRows>>> = {
  Look: Object.fromEntries(
    TABS.map(({ id, key, title, what = title }): readonly [string, CommandRow] => [
      `tab-${id}`,
      [key, `Inspector: ${what}`, () => chooseTab(id), { order: -1 }],
    ]),
  ),
  Lab: Object.fromEntries(
    DOCK_PANELS.map(({ id, key, what }): readonly [string, CommandRow] => [
      `dock-${id}`,
      [key, what, () => focusDock(id), { order: 1 }],
    ]),
  ),
}

/** Every command, in the order of the help and the palette. */
export const COMMANDS: readonly Command[] = GROUPS.flatMap((group) =>
  [...FEATURES.map(({ commands }) => commands?.[group]), MADE[group]]
    .flatMap((rows) => Object.entries(rows ?? {}))
    .filter(([, [, , , options]]) => options?.machine !== true || has('machine'))
    .map(([id, [keys, what, run, options]]) => {
      const all = typeof keys === 'string' ? [keys] : keys
      return { id, group, keys: all, what, run, ...options }
    })
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
)
