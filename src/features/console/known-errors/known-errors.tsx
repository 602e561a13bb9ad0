'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { KnownErrorHit } from '#domain/known-errors/match.ts'
import { KNOWN_ERRORS } from '#domain/known-errors/rules.ts'
import type { KnownErrorFix } from '#domain/known-errors/rules.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { buttonClass, IconButton } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { ConsoleState } from '../console-store.ts'
import { nextCards, noCards, shownCards, withoutCard } from './cards.ts'

/** Accepts the EULA of a server; the files' part of the page has it. */
export type AcceptEula = (server: Server) => ReactNode

type PageFix = Exclude<KnownErrorFix, 'accept-eula' | 'none'>

const NEEDS = { startup: 'startup.view', networks: 'allocation.view', files: 'file.list' } as const
const PLACES: Readonly<Record<PageFix, string>> = {
  startup: 'startup',
  networks: 'networks',
  files: 'files',
  settings: 'settings#resources',
}

/** The way to the page where it is put right, or what the reader lacks for it. */
const ToPage = ({ server, fix }: { server: Server; fix: PageFix }) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const me = useReader()
  if (fix === 'settings' && me?.id !== server.owner.id) return <span className="small t2">{t('ownerOnly')}</span>
  if (fix !== 'settings' && !server.permissions.includes(NEEDS[fix])) {
    return <span className="small t2">{t('needs', { permission: tp(NEEDS[fix]) })}</span>
  }
  return (
    <PageLink className={buttonClass({ size: 's' })} href={`/panel/${server.id}/${PLACES[fix]}`}>
      {t(`fix.${fix}`)}
    </PageLink>
  )
}

type CardProps = {
  server: Server
  hit: KnownErrorHit
  acceptEula: AcceptEula
  onShow: (seq: number) => void
  onClose: () => void
}

const Card = ({ server, hit, acceptEula, onShow, onClose }: CardProps) => {
  const t = useTranslations('console.known')
  const title = t(`title.${hit.id}`)
  const fix: KnownErrorFix = KNOWN_ERRORS.find(({ id }) => id === hit.id)?.fix ?? 'none'
  return (
    <li>
      <Notice
        tone="stop"
        role="status"
        className="known"
        action={<IconButton small label={t('close', { title })} icon={<Icon name="close" />} onClick={onClose} />}
      >
        <b className="b">{title}</b>
        <span className="known-text">{t(`text.${hit.id}`)}</span>
        <button type="button" className="known-line" onClick={() => onShow(hit.seq)}>
          <span className="vh">{t('show')}: </span>
          <code>{hit.line}</code>
        </button>
        {fix === 'accept-eula' ? acceptEula(server) : null}
        {fix === 'accept-eula' || fix === 'none' ? null : <ToPage server={server} fix={fix} />}
      </Notice>
    </li>
  )
}

type KnownErrorsProps = {
  server: Server
  state: ConsoleState
  word: ServerWord
  acceptEula: AcceptEula
  onShow: (seq: number) => void
}

/** Errors of the log that we know, each with its line and the way to put it right. */
export const KnownErrors = ({ server, state, word, acceptEula, onShow }: KnownErrorsProps) => {
  const t = useTranslations('console.known')
  const [cards, setCards] = useState(noCards)
  const { log, wordSinceMs } = state
  useEffect(() => {
    const source = { log, word, isFirst: wordSinceMs === 0, nowMs: Date.now() }
    setCards((before) => nextCards(before, source))
  }, [log, word, wordSinceMs])
  const shown = shownCards(cards)
  if (shown.length === 0) return null
  return (
    <ul className="known-list" aria-label={t('list')}>
      {shown.map((hit) => (
        <Card
          key={hit.id}
          server={server}
          hit={hit}
          acceptEula={acceptEula}
          onShow={onShow}
          onClose={() => setCards((before) => withoutCard(before, hit.id))}
        />
      ))}
    </ul>
  )
}
