import type { ComponentType } from 'react'
import type { TurnTrace } from '../../core/engine/schema/trace.ts'
import type { Lane } from '../timeline/lane.tsx'
import type { ActionRows } from './actions.ts'
import type { Need } from './api.ts'
import type { Hooks } from './hooks.ts'
import type { LinkPart } from './link.ts'
import type { Slots } from './slots.ts'
import { patchView, type State } from './store.ts'

/** Props of a tab about a classified turn. */
export interface OfTurn {
  readonly trace: TurnTrace
}

/** Groups of tabs, in the order of their menu. */
export const TAB_GROUPS = [
  'The decision',
  'What the model gets',
  'What the agent says',
  'The record',
] as const
export type TabGroup = (typeof TAB_GROUPS)[number]

/** A tab of the inspector. It gets a command `tab-ID` for its key. */
export type Tab = {
  readonly id: string
  readonly title: string
  /** The question that the tab answers, for its tooltip. */
  readonly about: string
  readonly group: TabGroup
  readonly key: string
  /** Description of its command in the help, if the title is too short. */
  readonly what?: string
} & (
  | { readonly Content: ComponentType }
  /** Shown for a classified turn only, with its trace. */
  | { readonly OfTurn: ComponentType<OfTurn> }
)

/** A panel of the dock under the session. It gets a command `dock-ID` for its key. */
export interface DockPanel {
  readonly id: string
  readonly title: string
  /** Purpose of the panel, for its tooltip. */
  readonly about: string
  readonly key: string
  /** Its command in the help. */
  readonly what: string
  /** Shown next to the title: a count, or a mark for unsaved changes. */
  readonly Aside?: ComponentType
  readonly Panel: ComponentType
}

/** Groups of commands, in the order of the help and the palette. `Menu` is in neither: only menus name it. */
export const GROUPS = ['Move', 'Look', 'Find', 'Lab', 'Application', 'Menu'] as const
export type Group = (typeof GROUPS)[number]

/** Functions that only the page can perform. The page supplies them when it starts. */
export interface Page {
  readonly chooseFile: () => void
  /** Link to the current view. */
  readonly link: () => string
  /** One place back or forward in the history of the window. */
  readonly go: (by: 1 | -1) => void
  /** True if the library is a drawer. */
  readonly isNarrow: () => boolean
}

/**
 * The effect of an action beyond changing the view: it costs money, deletes data, or writes data. [U222] Actions that
 * cost money or delete data have no single-letter key.
 */
export type Effect = 'money' | 'deletes' | 'writes'

/** [U221] A key that works only while one panel has the keyboard, as the help lists it. */
export interface PaneKey {
  /** As `event.key`. */
  readonly keys: readonly string[]
  readonly what: string
  readonly does?: Effect
}

interface CommandOptions {
  /** Absent if the command changes only the view. */
  readonly does?: Effect
  /** Works without a session on screen. */
  readonly always?: true
  /** A further condition, and how the help names it. */
  readonly only?: { readonly words: string; readonly holds: (state: State) => boolean }
  /** Needs a machine behind the window: absent in an exported page. */
  readonly machine?: true
  /** [U60] Labels of buttons that do the same, so that typing one in the palette finds the command. */
  readonly also?: readonly string[]
  /** Position in its group, if the order of the features is not enough; 0 by default. */
  readonly order?: number
}

/**
 * Something that a key, a button, the palette or a menu runs. A key is `event.key`, with `mod+` for Ctrl
 * or Cmd, `alt+` for Alt, and `shift+` with F6. Letters are case-sensitive: `J` is Shift+j.
 */
export type CommandRow = readonly [
  keys: string | readonly string[],
  what: string,
  run: (page: Page) => void,
  options?: CommandOptions,
]

export interface Command extends CommandOptions {
  readonly id: string
  readonly group: Group
  readonly keys: readonly string[]
  readonly what: string
  readonly run: (page: Page) => void
}

/** Commands by their id. */
export type CommandRows = Readonly<Record<string, CommandRow>>

/** Returns the action of a command that opens a dialog. */
export const opens = (dialog: string) => () => patchView({ dialog })

export type Run = (action: () => void) => () => void
export interface PaletteProps {
  readonly text: string
  /** Closes the palette, then acts. */
  readonly run: Run
}

export type Dialog = ComponentType<{ readonly onClose: () => void }>

/** A screen in the place of the session. */
export interface Screen {
  /** The path of its content; null while it is not shown. Another path renders a new screen. */
  readonly of: (state: State) => string | null
  readonly Screen: ComponentType<{ readonly path: string }>
}

/** Items that `n` and `p` step through while the feature is in front. */
export interface Walk {
  readonly holds: (state: State) => boolean
  readonly step: (by: 1 | -1) => void
}

/** Everything that one feature adds to the window. */
export interface Feature {
  /** Needs a machine behind the window: absent in an exported page. */
  readonly machine?: true
  /** [U120] [U122] Absent in a page that was exported without it. */
  readonly needs?: Need
  readonly tab?: Tab
  readonly dockPanel?: DockPanel
  readonly lanes?: readonly Lane[]
  readonly commands?: Readonly<Partial<Record<Group, CommandRows>>>
  /** By the name that `view.dialog` has while it is open. */
  readonly dialogs?: Readonly<Record<string, Dialog>>
  /** Groups of entries in the palette. */
  readonly palette?: ReadonlyArray<ComponentType<PaletteProps>>
  /** Parts of it that are shown inside of others. */
  readonly slots?: Slots
  readonly screen?: Screen
  /** Handlers for requests of other features. */
  readonly actions?: ActionRows
  readonly hooks?: Partial<Hooks>
  readonly walk?: Walk
  readonly link?: readonly LinkPart[]
  /** Called once when the page starts. */
  readonly start?: () => void
  /** [U221] Keys that `onKey` takes while the panel of this name has the keyboard. */
  readonly paneKeys?: { readonly while: string; readonly rows: readonly PaneKey[] }
  /** Looks at a key outside of text fields before the commands do; true = taken. */
  readonly onKey?: (event: KeyboardEvent) => boolean
  /** Esc: closes the feature's topmost overlay. Returns false if nothing was open. */
  readonly escape?: () => boolean
}
