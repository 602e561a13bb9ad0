'use client'
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { acceptChunk, getChunks, getOriginalDoc, unifiedMergeView } from '@codemirror/merge'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, Text } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import type { Ref } from 'react'
import type { TextChange } from '#domain/config-files/java-properties.ts'
import { loadLanguage } from './editor-language.ts'
import type { Language } from './editor-language.ts'
import { editorTheme } from './editor-theme.ts'
import { linesOf } from './file-text.ts'

export type MergeWords = { readonly mine: string; readonly theirs: string; readonly both: string }
export type CodeHandle = {
  undo: () => void
  redo: () => void
  search: () => void
  focus: () => void
  insert: (text: string) => void
  /** The text with the line breaks of its file. */
  text: () => string
  /** The text with line feeds between its lines. */
  lines: () => string
  /** Changes the text of `lines`, as typing would. */
  change: (change: TextChange) => void
}

type CodeViewProps = {
  /** The text at the beginning; a new `key` begins anew. */
  readonly text: string
  readonly lineBreak: string
  readonly language: Language
  readonly isReadOnly: boolean
  /** Nobody knows the numbers of the lines in the middle of a file. */
  readonly hasLineNumbers: boolean
  /** The end is shown first. */
  readonly startsAtEnd: boolean
  readonly label: string
  /** The texts of the search panel, by CodeMirror's own ones. */
  readonly phrases: Readonly<Record<string, string>>
  /** Another version to compare with: each difference is kept, taken over, or both. */
  readonly other?: { readonly text: string; readonly words: MergeWords } | undefined
  readonly onChange: () => void
  readonly onSave: () => void
  readonly onCursor: (at: { line: number; column: number }) => void
  readonly ref?: Ref<CodeHandle>
}

/** Puts the other version's lines before ours, and keeps both. */
const keepBoth = (view: EditorView, pos: number): void => {
  const chunk = getChunks(view.state)?.chunks.find(({ fromB, endB }) => pos >= fromB && pos <= Math.max(fromB, endB))
  if (chunk === undefined) return
  const other = getOriginalDoc(view.state).sliceString(chunk.fromA, chunk.endA)
  // Lines that only ours has stand beside nothing.
  if (other !== '')
    view.dispatch({ changes: { from: chunk.fromB, insert: other.endsWith('\n') ? other : `${other}\n` } })
  acceptChunk(view, chunk.fromB)
}

type Pressed = { readonly act: (event: MouseEvent) => void; readonly after: () => void }

const button = (word: string, { act, after }: Pressed): HTMLButtonElement => {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = word
  made.onmousedown = act
  // Pressed by a key, which makes no mouse event and counts no clicks.
  made.onclick = (event) => {
    if (event.detail !== 0) return
    act(event)
    // The button is gone, and the focus with it.
    after()
  }
  return made
}

const mergeWith = (text: string, words: MergeWords, view: () => EditorView | undefined): Extension =>
  unifiedMergeView({
    original: text,
    mergeControls: (type, action) => {
      const after = () => view()?.focus()
      if (type === 'reject') return button(words.theirs, { act: action, after })
      const two = document.createElement('span')
      const keep = (event: MouseEvent) => {
        event.preventDefault()
        const shown = view()
        if (shown !== undefined) keepBoth(shown, shown.posAtDOM(two))
      }
      const both = button(words.both, { act: keep, after })
      both.className = 'cm-both'
      two.append(both, ' ', button(words.mine, { act: action, after }))
      return two
    },
  })

const plain = (hasLineNumbers: boolean): Extension => [
  hasLineNumbers ? lineNumbers() : [],
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  search({ top: true }),
  EditorView.lineWrapping,
  editorTheme,
]

type Events = { readonly saved: () => void; readonly changed: () => void; readonly moved: (state: EditorState) => void }

/** Builds the editor in a shadow root of the place; its language arrives later. */
const createView = (
  place: HTMLElement,
  props: CodeViewProps,
  { saved, changed, moved, closing }: Events & { closing: Compartment },
): EditorView => {
  const { text, lineBreak, language, isReadOnly, hasLineNumbers, label, phrases, other } = props
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const parent = document.createElement('div')
  parent.style.height = '100%'
  root.replaceChildren(parent)
  const mode = new Compartment()
  const save = () => {
    saved()
    return true
  }
  const view: EditorView = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Mod-s', run: save }]),
        plain(hasLineNumbers),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorState.lineSeparator.of(lineBreak),
        closing.of(EditorState.readOnly.of(isReadOnly)),
        EditorState.phrases.of({ ...phrases }),
        // Focusable by itself already, which tools that check the page do not know.
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        mode.of([]),
        other === undefined ? [] : mergeWith(other.text, other.words, () => view),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed()
          if (update.docChanged || update.selectionSet) moved(update.state)
        }),
      ],
    }),
  })
  void loadLanguage(language).then((support) => view.dispatch({ effects: mode.reconfigure(support) }))
  return view
}

/**
 * A code editor. It lives in a shadow root, where its styles are constructed sheets: the page's policy allows no others.
 */
export const CodeView = ({ ref, ...props }: CodeViewProps) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const first = useRef(props)
  const [closing] = useState(() => new Compartment())
  const changed = useEffectEvent(() => props.onChange())
  const saved = useEffectEvent(() => props.onSave())
  const moved = useEffectEvent((state: EditorState) => {
    const line = state.doc.lineAt(state.selection.main.head)
    props.onCursor({ line: line.number, column: state.selection.main.head - line.from + 1 })
  })
  useEffect(() => {
    if (host.current === null) return undefined
    const made = createView(host.current, first.current, {
      saved: () => saved(),
      changed: () => changed(),
      moved: (state) => moved(state),
      closing,
    })
    view.current = made
    if (first.current.startsAtEnd) {
      made.dispatch({ effects: EditorView.scrollIntoView(made.state.doc.length, { y: 'end' }) })
    }
    return () => {
      view.current = undefined
      made.destroy()
    }
  }, [closing])
  // The reader's permissions may change while the file is open; what is typed stays.
  const { isReadOnly } = props
  useEffect(() => {
    view.current?.dispatch({ effects: closing.reconfigure(EditorState.readOnly.of(isReadOnly)) })
  }, [closing, isReadOnly])
  useImperativeHandle(ref, () => {
    const shown = (act: (present: EditorView) => void) => () => {
      if (view.current !== undefined) act(view.current)
    }
    return {
      undo: shown(undo),
      redo: shown(redo),
      search: shown(openSearchPanel),
      focus: shown((present) => present.focus()),
      insert: (text) => shown((present) => present.dispatch(present.state.replaceSelection(text)))(),
      text: () => view.current?.state.sliceDoc() ?? first.current.text,
      lines: () => view.current?.state.doc.toString() ?? linesOf(first.current.text, first.current.lineBreak),
      change: ({ from, to, insert }) =>
        shown((present) =>
          present.dispatch({
            changes: { from, to, insert: Text.of(insert.split('\n')) },
            userEvent: 'input.type',
          }),
        )(),
    }
  }, [])
  return <div ref={host} className="code-host" />
}
