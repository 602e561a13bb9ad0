import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Only bone, grey and the link colour: green, amber and red are states. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.operator, tags.separator], color: 'var(--color-text-3)' },
  {
    tag: [tags.string, tags.number, tags.bool, tags.null, tags.atom, tags.quote, tags.attributeValue, tags.content],
    color: 'var(--color-link)',
  },
  {
    tag: [tags.keyword, tags.heading, tags.definition(tags.propertyName)],
    color: 'var(--color-bone)',
    fontWeight: '620',
  },
  { tag: tags.invalid, color: 'var(--color-stop-text)', fontWeight: '650' },
  { tag: tags.changed, color: 'var(--color-wait)' },
  { tag: [tags.propertyName, tags.variableName, tags.tagName, tags.attributeName], color: 'var(--color-bone)' },
])

const look = EditorView.theme(
  {
    '&': { height: '100%', color: 'var(--color-bone)', backgroundColor: 'var(--color-pit)', fontSize: '14px' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '22px' },
    '.cm-content': { padding: '8px 0', caretColor: 'var(--color-bone)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-gutters': { backgroundColor: 'var(--color-pit)', color: 'var(--color-text-3)', border: 'none' },
    '.cm-lineNumbers .cm-gutterElement': { padding: '0 16px 0 12px', minWidth: '48px' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-s1)' },
    '.cm-activeLineGutter': { color: 'var(--color-bone)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--color-enamel-tint)',
    },
    '.cm-cursor': { borderLeftColor: 'var(--color-bone)', borderLeftWidth: '2px' },
    '.cm-panels': {
      backgroundColor: 'var(--color-s1)',
      color: 'var(--color-bone)',
      borderColor: 'var(--color-hairline)',
    },
    '.cm-panel input, .cm-panel button': {
      backgroundColor: 'var(--color-s2)',
      backgroundImage: 'none',
      color: 'var(--color-bone)',
      border: '1px solid var(--color-control)',
      borderRadius: '4px',
      font: 'inherit',
      fontSize: '14px',
      padding: '4px 8px',
    },
    '.cm-panel.cm-search': { padding: '8px 32px 8px 12px', fontFamily: 'var(--font-sans)' },
    '.cm-panel.cm-search label': { fontSize: '13px' },
    '.cm-panel.cm-search [name=close]': { border: 'none', fontSize: '20px', right: '8px', top: '4px' },
    '.cm-searchMatch': { backgroundColor: 'var(--color-s3)', outline: '1px solid var(--color-control)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--color-enamel)' },
    // Differences are no states: the other version stands on its own ground, and what differs in a line is underlined.
    '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--color-s2)' },
    '&.cm-merge-b .cm-changedText, .cm-deletedChunk .cm-deletedText': {
      background: 'none',
      textDecoration: 'underline 2px var(--color-link)',
      textUnderlineOffset: '4px',
    },
    '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--color-bone)' },
    '.cm-deletedLineGutter': { background: 'var(--color-wait)' },
    '.cm-deletedChunk': {
      backgroundColor: 'var(--color-wait-tint)',
      boxShadow: 'inset 3px 0 var(--color-wait)',
      padding: '2px 12px 6px',
    },
    '.cm-deletedChunk .cm-chunkButtons': {
      position: 'static',
      display: 'flex',
      flexWrap: 'wrap',
      gap: '8px',
      marginTop: '4px',
    },
    // Lines that only one side has: there are no two to keep.
    '.cm-deletedChunk:not(:has(.cm-deletedLine)) .cm-both': { display: 'none' },
    '.cm-deletedChunk button': {
      backgroundColor: 'var(--color-s2)',
      color: 'var(--color-bone)',
      border: '1px solid var(--color-control)',
      borderRadius: '4px',
      margin: '2px 0',
      padding: '2px 10px',
      font: '520 13px/20px var(--font-sans)',
    },
    '.cm-chunkButtons > span': { display: 'contents' },
    // For a finger.
    '@media (width < 1024px)': {
      '.cm-deletedChunk button': { flex: '1 1 auto', minHeight: '44px' },
    },
  },
  { dark: true },
)

/** How code looks in the design language. */
export const editorTheme = [look, syntaxHighlighting(colours)]
