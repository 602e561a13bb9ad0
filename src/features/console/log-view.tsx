'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { formatCount } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { createBlockCutter } from './log/log-blocks.ts'
import type { LogBlock } from './log/log-blocks.ts'
import { LogBlocks } from './log/log-blocks-view.tsx'
import type { LogEntry } from './log/log-buffer.ts'
import type { LogClock } from './log/log-clock.ts'
import type { Matcher } from './log/log-search.ts'
import { useLogMoment } from './use-log-moment.ts'
import type { SharedMoment } from './use-moment.ts'
import type { OlderState } from './use-older.ts'
import { useTail } from './log/use-tail.ts'

const useBlocks = (entries: readonly LogEntry[]): readonly LogBlock[] => {
  const [cut] = useState(createBlockCutter)
  return useMemo(() => cut(entries), [cut, entries])
}

/** Above the oldest line: a button for more, or why there are none. */
const LogTop = ({ older, onOlder }: { older: OlderState; onOlder: () => void }) => {
  const t = useTranslations('console.older')
  const locale = useLocale()
  if (older.kind === 'none') return null
  if (older.kind === 'more' || older.kind === 'asking') {
    return (
      <p className="log-top">
        <Button size="s" busy={older.kind === 'asking'} onClick={onOlder}>
          {t(older.kind === 'asking' ? 'loading' : 'load')}
        </Button>
      </p>
    )
  }
  return (
    <p className="log-top">
      {older.lost > 0 ? t('lost', { count: older.lost, shown: formatCount(older.lost, locale) }) : t('start')}
    </p>
  )
}

/** The line that something outside the log points at; each time the log scrolls there. */
export type LogAim = { readonly seq: number; readonly times: number }
export const noAim: LogAim = { seq: 0, times: 0 }

export type LogViewProps = {
  box: RefObject<HTMLDivElement | null>
  entries: readonly LogEntry[]
  clock: LogClock
  matcher: Matcher | null
  /** The number of the current hit, 0 without one; the log scrolls to it whenever `jump` changes. */
  current: number
  jump: number
  aim: LogAim
  empty: ReactNode
  older: OlderState
  onOlder: () => void
  /** The newest known number, and how many lines up to it are not held. */
  lastSeq: number
  behind: number
  onToEnd: () => void
  onHold: (isHeld: boolean) => void
  /** The time that the graphs show too. */
  shared: SharedMoment
}

/** Below the newest held line, if the log continues after it. */
const LogEnd = ({ behind, onToEnd }: { behind: number; onToEnd: () => void }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  return (
    <p className="log-top log-end">
      {t('behind', { count: behind, shown: formatCount(behind, locale) })}
      <Button size="s" onClick={onToEnd}>
        {t('toEnd')}
      </Button>
    </p>
  )
}

/** Returns to the newest lines, and says how many have come. */
const ToEnd = ({ fresh, onToEnd }: { fresh: number; onToEnd: () => void }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  return (
    <Button size="s" className="to-end" onClick={onToEnd}>
      <Icon name="down" size={16} />
      {fresh > 0 ? t('newLines', { count: fresh, shown: formatCount(fresh, locale) }) : t('toEnd')}
    </Button>
  )
}

/**
 * The log as ordinary text of the page: native scrolling, selection, copying and find. Every line is in the document;
 * the browser skips layout and painting of blocks out of view. A virtual list would be lighter, but lines outside the
 * document can be neither found by the browser nor selected beyond the view.
 */
export const LogView = (props: LogViewProps) => {
  const { box, entries, clock, matcher, current, jump, aim, empty, older, onOlder, lastSeq, behind, onToEnd, onHold } =
    props
  const t = useTranslations('console')
  const content = useRef<HTMLDivElement>(null)
  const blocks = useBlocks(entries)
  const tail = useTail({ box, content, entries, lastSeq, behind, onReachTop: onOlder, onToEnd, onHold })
  const { pause } = tail
  const moment = useLogMoment({ ...props, following: tail.following, pause })
  const { returns } = props.shared
  const returned = useRef(returns)
  const { toEnd } = tail
  useEffect(() => {
    if (returned.current === returns) return
    returned.current = returns
    toEnd()
  }, [returns, toEnd])
  const jumped = useRef(jump)
  useEffect(() => {
    if (jumped.current === jump || current === 0) return
    jumped.current = jump
    pause()
    box.current?.querySelector(`.l[data-seq="${current}"]`)?.scrollIntoView({ block: 'center' })
  }, [box, current, jump, pause])
  const aimed = useRef(aim.times)
  useEffect(() => {
    if (aimed.current === aim.times) return
    const row = box.current?.querySelector<HTMLElement>(`.l[data-seq="${aim.seq}"]`)
    if (!row) return
    aimed.current = aim.times
    pause()
    row.scrollIntoView({ block: 'center' })
    box.current?.focus({ preventScroll: true })
  }, [box, aim, entries, pause])
  return (
    <div className="log-host">
      <div
        ref={box}
        className="log"
        role="log"
        aria-live="off"
        aria-label={t('log')}
        tabIndex={0}
        data-following={tail.following}
        onScroll={() => {
          tail.onScroll()
          moment.onScroll()
        }}
      >
        <div ref={content} className="log-all">
          {entries.length === 0 ? <div className="log-empty">{empty}</div> : null}
          {entries.length > 0 || older.kind === 'more' ? <LogTop older={older} onOlder={onOlder} /> : null}
          <LogBlocks blocks={blocks} clock={clock} matcher={matcher} current={current === 0 ? aim.seq : current} />
          {behind > 0 ? <LogEnd behind={behind} onToEnd={tail.toEnd} /> : null}
        </div>
      </div>
      {tail.following || (entries.length === 0 && behind === 0) ? null : (
        <ToEnd fresh={tail.fresh} onToEnd={tail.toEnd} />
      )}
    </div>
  )
}
