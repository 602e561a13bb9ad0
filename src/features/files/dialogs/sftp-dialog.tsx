'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { meQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { ErrorState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useFiles } from '../files-context.tsx'
import { sftpQuery } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'

const Facts = () => {
  const t = useTranslations('files.sftp')
  const files = useFiles()
  const troubleText = useTroubleText()
  const me = useQuery(meQuery()).data
  const { data, error, isError } = useQuery(sftpQuery(files))
  if (isError) return <ErrorState>{troubleText(error)}</ErrorState>
  if (data === undefined || me === undefined) return <SkeletonRows rows={4} />
  const rows = [
    { label: t('host'), text: data.host },
    { label: t('port'), text: String(data.port) },
    { label: t('user'), text: `${me.username}.${files.server.identifier}` },
    { label: t('fingerprint'), text: data.fingerprint },
  ]
  return (
    <>
      <dl className="sftp-facts">
        {rows.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <CopyText text={text} label={label} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="small t2">{t('fingerprintHelp')}</p>
      <p>
        <PageLink className="link" href="/dashboard/settings/security#sftp">
          {t('keys')}
        </PageLink>
      </p>
    </>
  )
}

/** How to reach the server's files with a program. */
export const SftpDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const t = useTranslations('files.sftp')
  const tc = useTranslations('common')
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} closeLabel={tc('close')}>
      {open ? (
        <div className="stack">
          <p>{t('text')}</p>
          <Facts />
        </div>
      ) : null}
    </Dialog>
  )
}
