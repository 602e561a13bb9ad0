'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { bytesText } from '@/lib/format/size.ts'
import { useFiles } from './files-context.tsx'
import { usageQuery } from './files-queries.ts'
import { usageLevel } from './usage-level.ts'

const METERS = {
  fine: 'meter',
  nearly: 'meter meter-wait',
  over: 'meter meter-wait',
  stopped: 'meter meter-stop',
} as const

/** How much of the server's storage is used, and by what. Its height is reserved before the figures arrive. */
export const UsageMeter = () => {
  const t = useTranslations('files.usage')
  const locale = useLocale()
  const usage = useQuery(usageQuery(useFiles())).data
  const size = (bytes: number) => bytesText(bytes, locale)
  const used = usage === undefined ? 0 : usage.bytes + usage.binBytes
  const share = usage === undefined || usage.limitBytes === 0 ? 0 : Math.min(1, used / usage.limitBytes)
  const level = usage === undefined ? 'fine' : usageLevel(usage)
  return (
    <div className="fusage">
      <span className="row">
        <span className="grow">{t('title')}</span>
        <b>{usage === undefined ? ' ' : t('of', { used: size(used), limit: size(usage.limitBytes) })}</b>
      </span>
      <span className={METERS[level]} style={{ '--v': share } as CSSProperties} aria-hidden>
        <i />
      </span>
      <span className="small t2">
        {usage === undefined ? ' ' : t('parts', { files: size(usage.bytes), bin: size(usage.binBytes) })}
      </span>
      {level === 'fine' ? null : (
        <span className="small" role="status">
          {t(level)}
        </span>
      )}
    </div>
  )
}
