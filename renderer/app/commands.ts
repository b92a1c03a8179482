import type { ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'
import type { LaneLegend } from '../timeline/lane.tsx'
import { valueOf } from './async-data.ts'
import type { Command, Feature, Page, PaletteProps } from './feature.ts'
import { FEWEST_SHOWN, type Shown, type State, store } from './store.ts'

interface Registry {
  /** [R14] Those that the page has, in their order. */
  readonly features: readonly Feature[]
  /** In the order of the help and the palette. */
  readonly commands: readonly Command[]
  readonly palette: ReadonlyArray<ComponentType<PaletteProps>>
  /** Keys of panels, as the help lists them. */
  readonly paneKeys: ReadonlyArray<NonNullable<Feature['paneKeys']>>
  readonly legend: readonly LaneLegend[]
  /** Ids of every tab and of every optional lane. */
  readonly all: Shown
  /** [U171] Ids of the optional lanes that come with a tab. */
  readonly lanesOfTab: (tab: string) => readonly string[]
  readonly page: Page
}

/**
 * The rows of all features, and the commands, palette groups and legends in them, set once when the page starts.
 * Only the start imports `features.ts`, because that list imports the features.
 */
export const registry = createStore<Registry>(() => ({
  features: [],
  commands: [],
  palette: [],
  paneKeys: [],
  legend: [],
  all: FEWEST_SHOWN,
  lanesOfTab: () => [],
  page: {
    chooseFile: () => undefined,
    link: () => '',
    go: () => undefined,
    isNarrow: () => false,
  },
}))

export function commandOf(id: string): Command | undefined {
  return registry.getState().commands.find((command) => command.id === id)
}

/** True when a key or a palette entry has something to act on. */
export function isUsable({ always, only }: Command, state: State): boolean {
  if (always) return true
  // Session keys are disabled while the library covers the session.
  if (state.folders.shown !== null) return false
  return valueOf(state.session.replay) !== null && (only?.holds(state) ?? true)
}

/** Runs a command by its id; ids that we do not know (of a newer shell) do nothing. */
export function runCommand(id: string): boolean {
  const command = commandOf(id)
  if (!command || !isUsable(command, store.getState())) return false
  command.run(registry.getState().page)
  return true
}
