'use client'
import { Download } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode, RefObject } from 'react'
import { formatCount } from '@/lib/format/money.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { copyText } from '@/ui/screen/clipboard.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import type { LogEntry } from './log-buffer.ts'
import type { LogClock } from './log-clock.ts'
import { entriesBetween, logFileName, logText, selectedRange } from './log-text.ts'

type LogActionsProps = {
  box: RefObject<HTMLDivElement | null>
  /** The shown entries: all, or the filtered ones. */
  entries: readonly LogEntry[]
  clock: LogClock
  serverName: string
  /** Further actions on the same lines. */
  children: ReactNode
}

const download = (name: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Copies the selected lines, or all shown ones; saves the shown ones as a file. */
export const LogActions = ({ box, entries, clock, serverName, children }: LogActionsProps) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const locale = useLocale()
  const toast = useToast()
  const textOf = (some: readonly LogEntry[]) =>
    logText(some, clock, (count) => t('gap', { count, shown: formatCount(count, locale) }))
  const save = () => download(logFileName(serverName, Date.now()), textOf(entries))
  const copy = async () => {
    const range = selectedRange(box.current)
    const chosen = range ? entriesBetween(entries, range.from, range.to) : entries
    if (await copyText(textOf(chosen))) {
      const count = { count: chosen.length, shown: formatCount(chosen.length, locale) }
      return toast({ lamp: 'done', text: t('copied', count) })
    }
    return toast({ lamp: 'crash', text: tc('copyFailed'), action: { label: t('download'), run: save } })
  }
  return (
    <div className="log-actions">
      {children}
      <IconButton
        small
        label={t('copy')}
        icon={<Icon name="copy" />}
        disabled={entries.length === 0}
        // Pressing the button must not clear the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => void copy()}
      />
      <IconButton
        small
        label={t('download')}
        icon={<Download className="i" aria-hidden />}
        disabled={entries.length === 0}
        onClick={save}
      />
    </div>
  )
}
