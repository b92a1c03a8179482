import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Fields and buttons of the editor's panels. */
const BOX = {
  border: '1px solid var(--line2)',
  borderRadius: '5px',
  color: 'var(--ink)',
  fontSize: '12px',
}

/**
 * The editor in the colours of the page: custom properties reach into its shadow root, so one look
 * serves every theme.
 */
const frame = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--bg)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontVariantLigatures: 'none',
    lineHeight: '19px',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--line2) transparent',
  },
  '.cm-content': { caretColor: 'var(--accent)', padding: '6px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'color-mix(in srgb, var(--accent) 28%, transparent)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--panel2) 55%, transparent)' },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink3)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'var(--panel2)', color: 'var(--ink)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 8px', minWidth: '26px' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--good) 26%, transparent)',
    outline: 'none',
  },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--mark) 35%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--mark)', color: '#14100a' },
  '.cm-panels': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
    fontFamily: 'var(--sans)',
  },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-textfield': { ...BOX, backgroundColor: 'var(--bg)' },
  '.cm-button': { ...BOX, background: 'var(--panel2)' },
  '.cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink2)' },
})

const underlined = (line: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline ${line} 1.5px`,
  textUnderlineOffset: '3px',
})

const floating = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--line2)',
    borderRadius: '7px',
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
    fontFamily: 'var(--sans)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 9px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink3)', fontStyle: 'normal', fontFamily: 'var(--sans)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-diagnostic': { padding: '6px 10px', fontSize: '12px', maxWidth: '460px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--accent)' },
  '.cm-lintRange-error': underlined('wavy var(--bad)'),
  '.cm-lintRange-warning': underlined('wavy var(--warn)'),
  '.cm-lintRange-info': underlined('dotted var(--accent)'),
  '.cm-signal-line': {
    backgroundColor: 'var(--accent-soft)',
    boxShadow: 'inset 2px 0 0 var(--accent)',
  },
})

const changes = EditorView.theme({
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'var(--good-soft)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--good) 30%, transparent)',
  },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)', paddingLeft: '6px' },
  '.cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 30%, transparent)',
  },
  '.cm-deletedChunk .cm-chunkButtons button': {
    border: 'none',
    borderRadius: '4px',
    margin: '0 2px',
    cursor: 'pointer',
    background: 'var(--panel2)',
    color: 'var(--ink)',
  },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-deletedLineGutter': { background: 'var(--bad)' },
  '.cm-collapsedLines': {
    background: 'var(--panel2)',
    color: 'var(--ink2)',
    fontFamily: 'var(--sans)',
    padding: '3px 10px',
    '&:before, &:after': { content: '""', margin: '0' },
  },
})

/** Colors of YAML: keys, strings, values, and comments with enough contrast. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-key)' },
  { tag: [tags.string, tags.content], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--syntax-value)' },
  { tag: tags.comment, color: 'var(--ink3)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink2)' },
  { tag: tags.meta, color: 'var(--ink2)' },
])

export const editorLook: Extension = [frame, floating, changes, syntaxHighlighting(colours)]
