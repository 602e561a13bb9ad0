'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { bytesText } from '@/lib/format/size.ts'
import { useFiles } from './files-context.tsx'
import { usageQuery } from './files-queries.ts'

/** From this share on the meter warns. */
const NEARLY = 0.9

/** How much of the server's storage is used, with the bin. Its height is reserved before the figures arrive. */
export const UsageMeter = () => {
  const t = useTranslations('files.usage')
  const locale = useLocale()
  const usage = useQuery(usageQuery(useFiles())).data
  const used = usage === undefined ? 0 : usage.bytes + usage.binBytes
  const share = usage === undefined || usage.limitBytes === 0 ? 0 : Math.min(1, used / usage.limitBytes)
  // A game can write beyond it where the node's disk does not refuse that.
  const isOver = usage !== undefined && usage.limitBytes > 0 && used > usage.limitBytes
  return (
    <div className="fusage">
      <span className="row">
        <span className="grow">{t('title')}</span>
        <b>
          {usage === undefined
            ? ' '
            : t('of', { used: bytesText(used, locale), limit: bytesText(usage.limitBytes, locale) })}
        </b>
      </span>
      <span
        className={share >= NEARLY ? 'meter meter-wait' : 'meter'}
        style={{ '--v': share } as CSSProperties}
        aria-hidden
      >
        <i />
      </span>
      {share >= NEARLY ? <span className="small">{t(isOver ? 'over' : 'nearly')}</span> : null}
    </div>
  )
}
