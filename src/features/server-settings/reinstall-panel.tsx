'use client'
import { HardDriveDownload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ReinstallDialog } from './reinstall-dialog.tsx'

type PanelProps = { readonly server: Server; readonly size: ReactNode }

const Watch = ({ server, text }: { server: Server; text: string }) => {
  const t = useTranslations('serverSettings.reinstall')
  return (
    <>
      <p>{text}</p>
      <PageLink className={buttonClass({ look: 'plain' })} href={`/panel/${server.id}/console`}>
        {t('watch')}
      </PageLink>
    </>
  )
}

const Open = ({ server, size }: PanelProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const [isAsking, setAsking] = useState(false)
  const [isOrdered, setOrdered] = useState(false)
  return (
    <>
      <p>{t('text')}</p>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('open')}
      </Button>
      <div role="status">{isOrdered ? <Notice tone="go">{t('ordered')}</Notice> : null}</div>
      <ReinstallDialog
        open={isAsking}
        server={server}
        size={size}
        onClose={() => setAsking(false)}
        onDone={() => {
          setAsking(false)
          setOrdered(true)
        }}
      />
    </>
  )
}

const Body = ({ server, size }: PanelProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const ts = useTranslations('serverSettings')
  const { suspended, expiry, status, permissions } = server
  if (!permissions.includes('settings.reinstall')) return <p className="t2">{t('noPermission')}</p>
  const closed = readOnlyReason({ suspended, expiresAtMs: Date.parse(expiry) }, Date.now())
  if (closed !== null) return <p className="t2">{ts(`closed.${closed}`)}</p>
  if (status === 'installing') return <Watch server={server} text={t('installing')} />
  return (
    <>
      {status === 'error on startup' ? <Notice tone="wait">{t('lastFailed')}</Notice> : null}
      <Open server={server} size={size} />
    </>
  )
}

/** Installs the server again, over its files or without them. */
export const ReinstallPanel = ({ server, size }: PanelProps) => {
  const t = useTranslations('serverSettings.reinstall')
  return (
    <Panel title={t('title')} end={<HardDriveDownload className="i" aria-hidden />}>
      <div className="renewal">
        <Body server={server} size={size} />
      </div>
    </Panel>
  )
}
