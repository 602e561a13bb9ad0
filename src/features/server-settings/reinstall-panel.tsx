'use client'
import { HardDriveDownload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { useStatusChange } from '@/lib/servers/use-status-change.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ReinstallDialog } from './reinstall-dialog.tsx'

type PanelProps = { readonly server: Server; readonly size: ReactNode }
type FormProps = PanelProps & { readonly onAsk: () => void; readonly onOrdered: () => void }

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

const Open = ({ server, size, onAsk, onOrdered }: FormProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <p>{t('text')}</p>
      <Button
        look="danger"
        onClick={() => {
          setAsking(true)
          onAsk()
        }}
      >
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

const Body = ({ server, size, onAsk, onOrdered }: FormProps) => {
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
      <Open server={server} size={size} onAsk={onAsk} onOrdered={onOrdered} />
    </>
  )
}

type Phase = 'before' | 'installing' | 'installed' | 'over'

const phaseAfter = (phase: Phase, status: Server['status']): Phase => {
  if (status === 'installing') return 'installing'
  if (phase === 'before') return 'before'
  return phase === 'installing' && status === 'offline' ? 'installed' : 'over'
}

/**
 * The state of the reader's order. It outlives the form: the installation replaces the form, often before the answer to
 * the order arrives.
 */
const useOrder = ({ status }: Pick<Server, 'status'>) => {
  const [isOrdered, setOrdered] = useState(false)
  const [phase, setPhase] = useState<Phase>('before')
  useStatusChange({ status }, () => setPhase(phaseAfter(phase, status)))
  return {
    word: !isOrdered || phase === 'over' ? null : phase === 'installed' ? ('done' as const) : ('ordered' as const),
    onAsk: () => {
      setOrdered(false)
      setPhase('before')
    },
    onOrdered: () => setOrdered(true),
  }
}

/**
 * The installation replaces what had the focus: the button that asked, or the link to the console. Then the focus goes to the
 * words about the order, and nowhere else.
 */
const useKeptFocus = (
  words: RefObject<HTMLElement | null>,
  { word, status }: { word: string | null; status: string },
) =>
  useEffect(() => {
    const { activeElement } = document
    if (word !== null && (activeElement === null || activeElement === document.body)) words.current?.focus()
  }, [words, word, status])

/** Installs the server again, over its files or without them. */
export const ReinstallPanel = ({ server, size }: PanelProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const { word, onAsk, onOrdered } = useOrder(server)
  const words = useRef<HTMLDivElement>(null)
  useKeptFocus(words, { word, status: server.status })
  return (
    <Panel title={t('title')} end={<HardDriveDownload className="i" aria-hidden />}>
      <div className="renewal">
        <Body server={server} size={size} onAsk={onAsk} onOrdered={onOrdered} />
        <div role="status" ref={words} tabIndex={-1}>
          {word === null ? null : <Notice tone="go">{t(word)}</Notice>}
        </div>
      </div>
    </Panel>
  )
}
