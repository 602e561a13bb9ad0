'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { nameOf } from '#contracts/panel/file-path.ts'
import { KEPT_VERSIONS } from '#contracts/panel/node-files.ts'
import type { FileVersion } from '#contracts/panel/node-files.ts'
import { formatDate } from '@/lib/format/date.ts'
import { bytesText } from '@/lib/format/size.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useFiles } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'

export type VersionUse = 'compare' | 'return'
type HistoryProps = {
  readonly path: string
  readonly open: boolean
  readonly onUse: (version: FileVersion, use: VersionUse) => Promise<void>
  readonly onClose: () => void
}

const Versions = ({ path, onUse }: Pick<HistoryProps, 'path' | 'onUse'>) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { server, node } = useFiles()
  const troubleText = useTroubleText()
  const query = useQuery({
    queryKey: [...filesKey(server.id), 'history', path],
    queryFn: ({ signal }) => node.call('history', { path }, signal),
    gcTime: 0,
    retry: false,
  })
  if (query.isError) return <p role="alert">{troubleText(query.error, nameOf(path))}</p>
  if (query.data === undefined) return <SkeletonRows rows={4} />
  const { versions } = query.data
  // Two saves are often in one minute.
  const timeOf = ({ savedAtMs }: FileVersion): string =>
    (['day', 'clock'] as const).map((style) => formatDate(savedAtMs, locale, { style, timeZone })).join(' ')
  return (
    <>
      <p className="t2">{t(versions.length === 0 ? 'historyNone' : 'historyOf', { count: KEPT_VERSIONS })}</p>
      <ul className="versions">
        {versions.map((version) => (
          <li key={version.id}>
            <span className="grow">{timeOf(version)}</span>
            <span className="small t2 nw">{bytesText(version.bytes, locale)}</span>
            <Button size="s" onClick={() => void onUse(version, 'compare')}>
              {t('compareVersion')}
            </Button>
            <Button size="s" look="quiet" onClick={() => void onUse(version, 'return')}>
              {t('returnTo')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Earlier versions of the open file: each can be compared with, and returned to. */
export const HistoryDialog = ({ path, open, onUse, onClose }: HistoryProps) => {
  const t = useTranslations('files.editor')
  const tc = useTranslations('common')
  return (
    <Dialog open={open} onClose={onClose} title={t('history')} closeLabel={tc('close')}>
      <Versions path={path} onUse={onUse} />
    </Dialog>
  )
}
