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

type Lines = Pick<LogActionsProps, 'entries' | 'clock' | 'serverName'>

/** Copies lines from one number to another, or all shown ones; saves the shown ones as a file. */
export const useLogCopy = ({ entries, clock, serverName }: Lines) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const locale = useLocale()
  const toast = useToast()
  const textOf = (some: readonly LogEntry[]) =>
    logText(some, clock, (count) => t('gap', { count, shown: formatCount(count, locale) }))
  const save = () => download(logFileName(serverName, Date.now()), textOf(entries))
  const copy = async (range: ReturnType<typeof selectedRange>) => {
    const chosen = range ? entriesBetween(entries, range.from, range.to) : entries
    if (await copyText(textOf(chosen))) {
      const count = { count: chosen.length, shown: formatCount(chosen.length, locale) }
      return toast({ lamp: 'done', text: t('copied', count) })
    }
    return toast({ lamp: 'crash', text: tc('copyFailed'), action: { label: t('download'), run: save } })
  }
  return { copy, save }
}

/** Copies the selected lines, or all shown ones; saves the shown ones as a file. */
export const LogActions = ({ box, children, ...lines }: LogActionsProps) => {
  const t = useTranslations('console')
  const { copy, save } = useLogCopy(lines)
  const isEmpty = lines.entries.length === 0
  return (
    <div className="log-actions">
      {children}
      <IconButton
        small
        label={t('copy')}
        icon={<Icon name="copy" />}
        disabled={isEmpty}
        // Pressing the button must not clear the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => void copy(selectedRange(box.current))}
      />
      <IconButton
        small
        label={t('download')}
        icon={<Download className="i" aria-hidden />}
        disabled={isEmpty}
        onClick={save}
      />
    </div>
  )
}
