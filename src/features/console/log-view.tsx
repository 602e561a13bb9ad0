'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLocale, useTranslations } from 'next-intl'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatCount } from '@/lib/format-money.ts'
import type { LogEntry } from './log-buffer.ts'
import { LogRow } from './log-row.tsx'

const lineHeightPx = 22
const nearEndPx = 24

/** Follows the end of the log until the reader scrolls up; then it counts what came since. */
const useTail = (length: number, dropped: number) => {
  const region = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(0)
  const total = length + dropped
  const onScroll = useCallback(() => {
    const box = region.current
    if (!box) return
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= nearEndPx
    setFollowing(atEnd)
    if (atEnd) setSeen(total)
  }, [total])
  useEffect(() => {
    if (following) setSeen(total)
  }, [following, total])
  return { region, following, setFollowing, onScroll, fresh: Math.max(0, total - seen) }
}

type LogViewProps = {
  entries: readonly LogEntry[]
  /** How many entries the limit has taken away at the top: rows keep their keys. */
  dropped: number
  empty: string
  onReachTop: () => void
}

/** The log as ordinary text: native scrolling, selection and copying; only what is in view is in the page. */
export const LogView = ({ entries, dropped, empty, onReachTop }: LogViewProps) => {
  const t = useTranslations('console')
  const locale = useLocale()
  const { region, following, setFollowing, onScroll, fresh } = useTail(entries.length, dropped)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => region.current,
    estimateSize: () => lineHeightPx,
    getItemKey: (index) => {
      const entry = entries[index]
      return entry ? `${entry.kind}-${entry.seq}` : index
    },
    overscan: 24,
  })
  const last = entries.length - 1
  const heightPx = rows.getTotalSize()
  useLayoutEffect(() => {
    const box = region.current
    if (following && box) box.scrollTop = box.scrollHeight
  }, [following, last, heightPx, region])
  const shown = rows.getVirtualItems()
  return (
    <div className="log-host">
      <div
        ref={region}
        className="log"
        role="log"
        aria-live="off"
        aria-label={t('log')}
        tabIndex={0}
        onScroll={(event) => {
          onScroll()
          if (event.currentTarget.scrollTop < lineHeightPx) onReachTop()
        }}
      >
        {entries.length === 0 ? <p className="log-empty">{empty}</p> : null}
        <div className="log-all" style={{ height: heightPx }}>
          <div className="log-shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
            {shown.map((item) => {
              const entry = entries[item.index]
              return entry ? (
                <div key={item.key} data-index={item.index} ref={rows.measureElement}>
                  <LogRow entry={entry} />
                </div>
              ) : null
            })}
          </div>
        </div>
      </div>
      {following ? null : (
        <button type="button" className="btn btn-s to-end" onClick={() => setFollowing(true)}>
          {fresh > 0 ? t('newLines', { count: fresh, shown: formatCount(fresh, locale) }) : t('toEnd')}
        </button>
      )}
    </div>
  )
}
