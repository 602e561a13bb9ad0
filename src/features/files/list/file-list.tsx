'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useTranslations } from 'next-intl'
import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { DragEvent, KeyboardEvent, MouseEvent } from 'react'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import { FileRow } from './file-row.tsx'
import type { RowEvents } from './file-row.tsx'
import { everything, nothing, only, stepped, toggled, typed, upTo } from './selection.ts'
import type { Beyond, Selection } from './selection.ts'
import type { Action } from './row-menu.tsx'

const ROW_PX = 34
const TOUCH_ROW_PX = 52
const PAGE_ROWS = 12
/** Letters typed within this time are one word. */
const TYPING_MS = 800
/** More is read when the reader is this near to the end of what is there. */
const AHEAD_ROWS = 50

const narrow = '(max-width: 1023px)'
const subscribeNarrow = (changed: () => void) => {
  const query = window.matchMedia(narrow)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
const useRowHeight = () =>
  useSyncExternalStore(
    subscribeNarrow,
    () => (window.matchMedia(narrow).matches ? TOUCH_ROW_PX : ROW_PX),
    () => ROW_PX,
  )

type ListProps = {
  readonly entries: readonly FileEntry[]
  readonly total: number
  /** Whether all entries of the folder are here. */
  readonly isWhole: boolean
  readonly openName: string | null
  readonly cut: ReadonlySet<string>
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  /** Chooses what is not here yet. */
  readonly onBeyond: (beyond: Beyond) => void
  readonly onOpen: (entry: FileEntry) => void
  readonly onAction: (action: Action) => void
  readonly onMenu: (at: { x: number; y: number }) => void
  readonly onUp: () => void
  readonly onMore: () => void
  readonly onDrag: (event: DragEvent) => void
  readonly onDropInto: (folder: FileEntry, event: DragEvent) => void
}

const SHORTCUTS: Readonly<Record<string, Action>> = { F2: 'rename', Delete: 'delete' }
const WITH_CTRL: Readonly<Record<string, Action>> = { c: 'copy', x: 'cut', v: 'paste' }
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The choice by a key that leads beyond the entries that are here. */
const beyondOf = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): Beyond | undefined => {
  if (key === 'End') return shiftKey ? 'up-to-end' : 'end'
  return (ctrlKey || metaKey) && key.toLowerCase() === 'a' ? 'all' : undefined
}

const MODIFIERS: readonly string[] = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']
const NO_WORD = { text: '', atMs: 0 }

/** The letters of a word that is being typed; every key that does something else ends it. */
const useTyping = () => {
  const word = useRef(NO_WORD)
  return {
    type: (letter: string, nowMs: number): string => {
      const { text, atMs } = word.current
      word.current = { text: nowMs - atMs > TYPING_MS ? letter : text + letter, atMs: nowMs }
      return word.current.text
    },
    see: ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey
      if (!isLetter && !MODIFIERS.includes(key)) word.current = NO_WORD
    },
  }
}

const useKeys = (props: ListProps, names: readonly string[], rowBox: () => DOMRect | undefined) => {
  const typing = useTyping()
  return (event: KeyboardEvent) => {
    const { selection, onSelect, onAction, entries } = props
    typing.see(event)
    const at = entries.find(({ name }) => name === selection.at)
    const isCtrl = event.ctrlKey || event.metaKey
    const step = STEPS[event.key]
    const beyond = props.isWhole ? undefined : beyondOf(event)
    const action = isCtrl ? WITH_CTRL[event.key.toLowerCase()] : SHORTCUTS[event.key]
    if (beyond !== undefined) props.onBeyond(beyond)
    else if (step !== undefined) onSelect(stepped(names, selection, { by: step, extends: event.shiftKey }))
    else if (action !== undefined) onAction(action)
    else if (isCtrl && event.key.toLowerCase() === 'a') onSelect(everything(names, selection))
    else if (isCtrl) return
    else if (event.key === 'Enter' && at !== undefined) props.onOpen(at)
    else if (event.key === ' ' && at !== undefined) onSelect(toggled(selection, at.name))
    else if (event.key === 'Backspace') props.onUp()
    else if (event.key === 'Escape' && selection.chosen.size > 0) onSelect(nothing)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const box = rowBox()
      if (at !== undefined && box !== undefined) props.onMenu({ x: box.left + 48, y: box.bottom })
    } else if (event.key.length === 1 && !event.altKey) {
      const found = typed(names, selection, typing.type(event.key, event.timeStamp))
      if (found !== undefined) onSelect(only(found))
    } else return
    event.preventDefault()
  }
}

const useRowEvents = (props: ListProps, names: readonly string[]): RowEvents => {
  const latest = useRef({ props, names })
  useEffect(() => {
    latest.current = { props, names }
  })
  // Rows are compared by these, so they stay the same.
  return useMemo<RowEvents>(() => {
    const now = () => latest.current.props
    return {
      onPress: (entry, event: MouseEvent) => {
        const { selection, onSelect, onOpen } = now()
        const isTouch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch'
        if (event.shiftKey) onSelect(upTo(latest.current.names, selection, entry.name))
        else if (event.ctrlKey || event.metaKey) onSelect(toggled(selection, entry.name))
        else if (isTouch) onOpen(entry)
        else onSelect(only(entry.name))
      },
      onOpen: (entry) => now().onOpen(entry),
      onTick: (entry) => now().onSelect(toggled(now().selection, entry.name)),
      onMenu: (entry, at) => {
        if (!now().selection.chosen.has(entry.name)) now().onSelect(only(entry.name))
        now().onMenu(at)
      },
      onDragStart: (entry, event) => {
        if (!now().selection.chosen.has(entry.name)) now().onSelect(only(entry.name))
        now().onDrag(event)
      },
      onDropInto: (entry, event) => now().onDropInto(entry, event),
    }
  }, [])
}

/** The entries of a folder, however many: only those in sight are drawn. */
export const FileList = (props: ListProps) => {
  const { entries, total, openName, cut, selection, onMore } = props
  const t = useTranslations('files')
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rowPx = useRowHeight()
  const names = useMemo(() => entries.map(({ name }) => name), [entries])
  const [isFocused, setFocused] = useState(false)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  useEffect(() => rows.measure(), [rows, rowPx])
  const last = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (last + AHEAD_ROWS >= entries.length && entries.length < total) onMore()
  }, [last, entries.length, total, onMore])
  const place = selection.at === null ? -1 : names.indexOf(selection.at)
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place)
  }, [place, rows])
  const rowId = (index: number) => `${id}-${index}`
  const onKeyDown = useKeys(props, names, () => document.getElementById(rowId(place))?.getBoundingClientRect())
  const events = useRowEvents(props, names)
  return (
    <div
      ref={scroller}
      className="flist"
      role="grid"
      tabIndex={0}
      aria-label={t('list')}
      aria-multiselectable
      aria-rowcount={total}
      {...(place >= 0 ? { 'aria-activedescendant': rowId(place) } : {})}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div className="flist-all" role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]
          return entry === undefined ? null : (
            <FileRow
              key={entry.name}
              id={rowId(index)}
              entry={entry}
              index={index}
              top={start}
              isChosen={selection.chosen.has(entry.name)}
              isAt={isFocused && index === place}
              isOpen={entry.name === openName}
              isCut={cut.has(entry.name)}
              events={events}
            />
          )
        })}
      </div>
    </div>
  )
}
