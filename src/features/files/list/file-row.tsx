'use client'
import clsx from 'clsx'
import { Ellipsis } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { memo, useState } from 'react'
import type { CSSProperties, DragEvent, MouseEvent } from 'react'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import { formatDate } from '@/lib/format/date.ts'
import { bytesText } from '@/lib/format/size.ts'
import { FileIcon } from './file-icon.tsx'

export type RowEvents = {
  readonly onPress: (entry: FileEntry, event: MouseEvent) => void
  readonly onOpen: (entry: FileEntry) => void
  readonly onTick: (entry: FileEntry) => void
  readonly onMenu: (entry: FileEntry, at: { x: number; y: number }) => void
  readonly onDragStart: (entry: FileEntry, event: DragEvent) => void
  readonly onDropInto: (entry: FileEntry, event: DragEvent) => void
}

type RowProps = {
  readonly entry: FileEntry
  readonly index: number
  readonly top: number
  readonly isChosen: boolean
  readonly isAt: boolean
  readonly isOpen: boolean
  readonly isCut: boolean
  readonly id: string
  readonly events: RowEvents
}

const isOurs = (event: DragEvent): boolean => event.dataTransfer.types.length > 0

/** A folder takes what is dragged onto it, and shows that while it is above. */
const useTarget = (entry: FileEntry, onDropInto: RowEvents['onDropInto']) => {
  const [isOver, setOver] = useState(false)
  if (entry.kind !== 'folder') return { isOver: false, events: {} }
  return {
    isOver,
    events: {
      onDragOver: (event: DragEvent) => {
        if (!isOurs(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        onDropInto(entry, event)
      },
    },
  }
}

type TickProps = {
  readonly entry: RowProps['entry']
  readonly isChosen: boolean
  readonly onTick: RowProps['events']['onTick']
}

/** As large as a finger where there is one: beside it, a tap opens the entry. */
const Tick = ({ entry, isChosen, onTick }: TickProps) => {
  const t = useTranslations('files')
  return (
    <label onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isChosen}
        aria-label={t('choose', { name: entry.name })}
        onChange={() => onTick(entry)}
      />
    </label>
  )
}

const Row = ({ entry, index, top, isChosen, isAt, isOpen, isCut, id, events }: RowProps) => {
  const t = useTranslations('files')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const target = useTarget(entry, events.onDropInto)
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      {...(isOpen ? { 'aria-current': 'true' as const } : {})}
      className={clsx('frow', isAt && 'frow-at', isCut && 'frow-cut', target.isOver && 'frow-target')}
      style={{ transform: `translateY(${top}px)` } as CSSProperties}
      draggable
      onClick={(event) => events.onPress(entry, event)}
      onDoubleClick={() => events.onOpen(entry)}
      onContextMenu={(event) => {
        event.preventDefault()
        events.onMenu(entry, { x: event.clientX, y: event.clientY })
      }}
      onDragStart={(event) => events.onDragStart(entry, event)}
      {...target.events}
    >
      <span role="gridcell" className="frow-tick">
        <Tick entry={entry} isChosen={isChosen} onTick={events.onTick} />
      </span>
      <span role="gridcell" className="frow-name">
        <FileIcon entry={entry} />
        <span className="cut">{entry.name}</span>
        {entry.kind === 'file' ? null : <span className="vh">, {t(`kinds.${entry.kind}`)}</span>}
      </span>
      <span role="gridcell" className="frow-size">
        {entry.kind === 'file' ? bytesText(entry.size, locale) : ''}
      </span>
      <span role="gridcell" className="frow-time">
        {formatDate(entry.mtimeMs, locale, { style: 'stamp', timeZone })}
      </span>
      <span role="gridcell" className="frow-more">
        <button
          type="button"
          tabIndex={-1}
          className="icon-btn icon-btn-s"
          aria-label={t('actionsOf', { name: entry.name })}
          onClick={(event) => {
            event.stopPropagation()
            const box = event.currentTarget.getBoundingClientRect()
            events.onMenu(entry, { x: box.right, y: box.bottom })
          }}
        >
          <Ellipsis className="i" aria-hidden />
        </button>
      </span>
    </div>
  )
}

/** One entry of a folder. */
export const FileRow = memo(Row)
