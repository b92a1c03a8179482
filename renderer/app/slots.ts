import type { ComponentType } from 'react'
import type { TurnLabel } from '../../core/engine/schema/label.ts'
import type { Present, Row } from './store.ts'
import type { Verdict } from './verdicts.ts'

/** Places that features fill with parts of theirs, and what each part gets. */
export interface SlotProps {
  /** Under the header of the window: what concerns all of it. */
  readonly TopNote: object
  /** Beside the open content: other content that can be opened. */
  readonly Side: object
  /** At the foot of that in an exported page. */
  readonly PageFoot: object
  /** Over the window, below its dialogs. */
  readonly Overlay: object
  /** In the place of the workbench while something is presented. */
  readonly Stage: { readonly present: Present }
  /** On the first screen, before the samples. */
  readonly Welcome: object
  /** Above the timeline. */
  readonly Banner: object
  /** The events of the session in view. */
  readonly List: object
  /** In the bar over them. */
  readonly ListTool: object
  /** Between that bar and them, while something is looked for. */
  readonly ListBar: object
  /** Beside them, while the results are shown. */
  readonly ListSide: object
  /** Over their end. */
  readonly ListEnd: object
  /** In the place of an event's text: of a pipeline step. */
  readonly StepText: { readonly row: Row; readonly needles: readonly string[] }
  /** Under the text of a turn that is wrong. */
  readonly WrongNote: { readonly row: Row; readonly verdict: Verdict; readonly label: TurnLabel }
  /** In the column of verdicts of an event. */
  readonly RowVerdict: { readonly row: Row }
  /** In the bar of the dock. */
  readonly DockTool: object
  /** Under that bar, while the dock is open. */
  readonly DockNote: object
  /** In the bar of a folder, over its table. */
  readonly FolderTool: { readonly path: string }
  /** Beside that table. */
  readonly FolderSide: { readonly path: string }
  /** In the tab Budget, while a pipeline step is selected. */
  readonly StepBudget: object
  /** In the choices of an exported page. */
  readonly PageTour: {
    readonly tour: string | null
    readonly onChoose: (tour: string | null) => void
  }
}

export type Slots = { readonly [K in keyof SlotProps]?: ComponentType<SlotProps[K]> }
