import type { SourceRef } from '../../schema/event.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, isList, own, textAt } from '../shared/guards.ts'
import { markdown, pathOf } from './texts.ts'

/** Receives reports about content that a turn does not show. */
export interface TurnReport {
  readonly skip: (type: string) => void
  /** A part whose kind is not known. */
  readonly unknown: (part: unknown, ref: SourceRef, kind: string) => void
  /** The place in the file where a value was written. */
  readonly placeOf: (value: unknown, fallback: SourceRef) => SourceRef
}

/** [I120] Parts that show something and say nothing. */
const QUIET = new Set([
  'prepareToolInvocation',
  'undoStop',
  'codeblockUri',
  'mcpServersStarting',
  'command',
  'clearToPreviousToolInvocation',
  'extensions',
  'pullRequest',
  'multiDiffData',
  'workspaceEdit',
  'disabledClaudeHooks',
  'references',
  'usedContext',
  'reference',
  'codeCitation',
  'progressTask',
  'mcpServersInteractionRequired',
  'mcpServersStartingSerialized',
  'agentDetection',
  'move',
  'externalEdit',
  'autoModeResolution',
  'planReview',
])

/** Parts other than the answer's text that become separate events. */
const NOTES: Readonly<Record<string, { readonly kind: EventKind; readonly name: string }>> = {
  warning: { kind: 'notification', name: 'warning' },
  info: { kind: 'notification', name: 'info' },
  confirmation: { kind: 'notification', name: 'confirmation' },
  elicitation: { kind: 'notification', name: 'elicitation' },
  elicitation2: { kind: 'notification', name: 'elicitation' },
  elicitationSerialized: { kind: 'notification', name: 'elicitation' },
  questionCarousel: { kind: 'notification', name: 'questions' },
  progressMessage: { kind: 'meta', name: 'progress' },
  progressTaskSerialized: { kind: 'meta', name: 'progress' },
  treeData: { kind: 'meta', name: 'files' },
  hook: { kind: 'injected', name: 'hook' },
  textEditGroup: { kind: 'meta', name: 'text-edit' },
  textEdit: { kind: 'meta', name: 'text-edit' },
  notebookEditGroup: { kind: 'meta', name: 'text-edit' },
  notebookEdit: { kind: 'meta', name: 'text-edit' },
}

/** [I120] The event of a part beside the answer's text; null for one that says nothing, which is counted. */
export function noteOf(
  part: unknown,
  kind: string | null,
  origin: Origin,
  report: TurnReport,
): EventDraft | null {
  if (kind !== null && QUIET.has(kind)) {
    report.skip(`response/${kind}`)
    return null
  }
  const note = kind === null ? undefined : entryOf(NOTES, kind)
  if (note === undefined) report.unknown(part, origin.source, kind ?? 'untyped')
  const text = noteText(part)
  if (text !== '') return draft(note?.kind ?? 'meta', text, origin, { name: note?.name ?? kind })
  report.skip(`response/${kind ?? 'untyped'} without text`)
  return null
}

/** Words of a part beside the answer. */
function noteText(part: unknown): string {
  const edits = own(part, 'edits')
  if (isList(edits)) {
    const texts = edits.flat().map((edit) => textAt(edit, 'text') ?? '')
    return [pathOf(own(part, 'uri')), ...texts].filter((line) => line !== '').join('\n')
  }
  const keys = ['title', 'message', 'content', 'value', 'systemMessage', 'stopReason']
  const words = keys.map((key) => markdown(own(part, key))).filter((text) => text !== '')
  if (words.length > 0) return words.join('\n')
  return compact(own(part, 'questions') ?? own(part, 'treeData') ?? null)
}
