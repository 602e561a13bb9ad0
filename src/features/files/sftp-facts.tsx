'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { ErrorState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { filesOf } from './files-context.tsx'
import { sftpQuery } from './files-queries.ts'
import { useTroubleText } from './trouble-text.ts'

/** Where and as whom a program reaches the server's files, and the key by which it knows the machine. */
export const SftpFacts = ({ server }: { server: Server }) => {
  const t = useTranslations('files.sftp')
  const tp = useTranslations('files.trouble.permissions')
  const files = useMemo(() => filesOf(server, Date.now()), [server])
  const troubleText = useTroubleText()
  const me = useReader()
  const { data, error, isError } = useQuery({ ...sftpQuery(files), enabled: files.may('file.sftp') })
  if (!files.may('file.sftp')) return <p className="t2">{tp('sftp')}</p>
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
