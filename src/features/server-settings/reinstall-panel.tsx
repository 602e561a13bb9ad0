'use client'
import { HardDriveDownload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { useStatusChange } from '@/lib/servers/use-status-change.ts'
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

const Open = ({ server, size, onOrdered }: PanelProps & { readonly onOrdered: () => void }) => {
  const t = useTranslations('serverSettings.reinstall')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <p>{t('text')}</p>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('open')}
      </Button>
      <ReinstallDialog
        open={isAsking}
        server={server}
        size={size}
        onClose={() => setAsking(false)}
        onDone={() => {
          setAsking(false)
          onOrdered()
        }}
      />
    </>
  )
}

const Body = ({ server, size, onOrdered }: PanelProps & { readonly onOrdered: () => void }) => {
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
      <Open server={server} size={size} onOrdered={onOrdered} />
    </>
  )
}

/**
 * What became of the reader's order. It outlives the form, which the installation replaces: that begins so soon after
 * the order that a word of the form would be gone before it is read.
 */
const useOrder = ({ status }: Pick<Server, 'status'>) => {
  const [order, setOrder] = useState<'none' | 'ordered' | 'begun' | 'done'>('none')
  useStatusChange({ status }, () => {
    if (status === 'installing') setOrder((before) => (before === 'ordered' ? 'begun' : before))
    else setOrder((before) => (before !== 'begun' ? before : status === 'offline' ? 'done' : 'none'))
  })
  return { order, onOrdered: () => setOrder(status === 'installing' ? 'begun' : 'ordered') }
}

/** Installs the server again, over its files or without them. */
export const ReinstallPanel = ({ server, size }: PanelProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const { order, onOrdered } = useOrder(server)
  return (
    <Panel title={t('title')} end={<HardDriveDownload className="i" aria-hidden />}>
      <div className="renewal">
        <Body server={server} size={size} onOrdered={onOrdered} />
        <div role="status">
          {order === 'none' ? null : <Notice tone="go">{t(order === 'done' ? 'done' : 'ordered')}</Notice>}
        </div>
      </div>
    </Panel>
  )
}
