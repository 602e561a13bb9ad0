'use client'
import { Share2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { RefObject } from 'react'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import type { LogEntry } from '../log/log-buffer.ts'
import type { LogClock } from '../log/log-clock.ts'
import { selectedRange } from '../log/log-text.ts'
import { rangeAtFirst, type LineRange } from './log-range.ts'
import { ShareDialog } from './share-dialog.tsx'

type ShareButtonProps = {
  readonly box: RefObject<HTMLDivElement | null>
  readonly entries: readonly LogEntry[]
  readonly clock: LogClock
  readonly serverId: string
}

/**
 * Opens the dialog with the selected lines, or with the newest ones. A reader who looks as a collaborator shares
 * nothing.
 */
export const ShareButton = ({ box, entries, clock, serverId }: ShareButtonProps) => {
  const t = useTranslations('console.share')
  const [asked, setAsked] = useState<{ entries: readonly LogEntry[]; first: LineRange } | null>(null)
  if (useSeeing() !== null) return null
  return (
    <>
      <IconButton
        small
        label={t('title')}
        icon={<Share2 className="i" aria-hidden />}
        disabled={entries.length === 0}
        // Pressing the button must not clear the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setAsked({ entries, first: rangeAtFirst(entries, selectedRange(box.current)) })}
      />
      {asked === null ? null : (
        <ShareDialog {...asked} clock={clock} serverId={serverId} onClose={() => setAsked(null)} />
      )}
    </>
  )
}
