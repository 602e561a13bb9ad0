'use client'
import { Share2 } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { formatCount } from '@/lib/format/money.ts'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { useLogCopy } from '../log/log-actions.tsx'
import type { LogEntry } from '../log/log-buffer.ts'
import type { LogClock } from '../log/log-clock.ts'
import { entriesBetween, selectedRange } from '../log/log-text.ts'
import { rangeAtFirst, type LineRange } from './log-range.ts'
import { ShareDialog } from './share-dialog.tsx'

type Picked = NonNullable<ReturnType<typeof selectedRange>>

/**
 * The lines that a finger has selected. A tap takes a selection away before it presses a button, so it stays as it was
 * while the finger is on the bar.
 */
const usePicked = (box: RefObject<HTMLElement | null>, bar: RefObject<HTMLElement | null>): Picked | null => {
  const [picked, setPicked] = useState<Picked | null>(null)
  useEffect(() => {
    let isOnBar = false
    const look = () => {
      if (isOnBar) return
      const now = selectedRange(box.current)
      setPicked((before) => (now?.from === before?.from && now?.to === before?.to ? before : now))
    }
    const press = ({ target }: PointerEvent) => {
      isOnBar = target instanceof Node && bar.current?.contains(target) === true
      look()
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('pointerdown', press)
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('pointerdown', press)
    }
  }, [box, bar])
  return picked
}

type PickedBarProps = {
  readonly box: RefObject<HTMLDivElement | null>
  readonly entries: readonly LogEntry[]
  readonly clock: LogClock
  readonly server: { readonly id: string; readonly name: string }
}

/** On a narrow screen, what can be done with the selected lines, over the lower edge of the log. Its place has no height. */
export const PickedBar = ({ box, entries, clock, server }: PickedBarProps) => {
  const t = useTranslations('console.share')
  const tc = useTranslations('common')
  const locale = useLocale()
  const bar = useRef<HTMLDivElement>(null)
  const picked = usePicked(box, bar)
  const { copy } = useLogCopy({ entries, clock, serverName: server.name })
  const isSelf = useSeeing() === null
  const [asked, setAsked] = useState<{ entries: readonly LogEntry[]; first: LineRange } | null>(null)
  const count = picked === null ? 0 : entriesBetween(entries, picked.from, picked.to).length
  return (
    <div className="picked-place only-phone">
      {count === 0 ? null : (
        <div ref={bar} className="picked" role="group" aria-label={t('picked')}>
          <span className="picked-count">{t('lines', { count, shown: formatCount(count, locale) })}</span>
          <Button onClick={() => void copy(picked)}>
            <Icon name="copy" />
            {tc('copy')}
          </Button>
          {isSelf ? (
            <Button onClick={() => setAsked({ entries, first: rangeAtFirst(entries, picked) })}>
              <Share2 className="i" aria-hidden />
              {t('act')}
            </Button>
          ) : null}
        </div>
      )}
      {asked === null ? null : (
        <ShareDialog {...asked} clock={clock} serverId={server.id} onClose={() => setAsked(null)} />
      )}
    </div>
  )
}
