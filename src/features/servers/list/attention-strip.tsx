'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Lamp, LampGlyph } from '@/ui/signs/lamp.tsx'
import { consolePath, renewPath } from '../server-paths.ts'
import { watchedOf } from './attention.ts'
import { ATTENTION_LAMPS, useWatchText, type Watched } from './watch-text.ts'

/**
 * The act with which the reader can end it. Only the owner renews; a suspension and a machine's maintenance are not
 * theirs to end.
 */
const WatchAction = ({ server, kind, readerId }: Watched & { readerId: string | undefined }) => {
  const t = useTranslations('servers')
  if (kind === 'crashed' || kind === 'errorOnStartup') {
    return (
      <PageLink className={buttonClass({ size: 's' })} href={consolePath(server)} prefetch={false}>
        {t('why')}
        <span className="vh"> {server.name}</span>
      </PageLink>
    )
  }
  if (kind !== 'expired' && kind !== 'expiresSoon') return null
  if (server.owner.id !== readerId) {
    return <span className="small t2">{t('list.watchShared', { owner: server.owner.username })}</span>
  }
  return (
    <PageLink className={buttonClass({ size: 's' })} href={renewPath(server)} prefetch={false}>
      {t('list.renew')}
      <span className="vh"> {server.name}</span>
    </PageLink>
  )
}

type StripProps = { readonly servers: readonly Server[]; readonly readerId: string | undefined }

/**
 * The servers that need the reader, the most urgent first. Closed it is always as high, whatever happens meanwhile: nothing below
 * moves when a server crashes.
 */
export const AttentionStrip = ({ servers, readerId }: StripProps) => {
  const t = useTranslations('servers.list')
  const textOf = useWatchText()
  const [isOpen, setOpen] = useState(false)
  const watched = watchedOf(servers, Date.now())
  const shown = isOpen ? watched : watched.slice(0, 1)
  return (
    <section className="sv-watch" aria-label={t('watch')}>
      {watched.length === 0 ? (
        <p className="sv-watch-row">
          <Lamp kind="done">{t('watchNone')}</Lamp>
        </p>
      ) : (
        <ul>
          {shown.map((entry, index) => (
            <li key={entry.server.id} className="sv-watch-row">
              <LampGlyph kind={ATTENTION_LAMPS[entry.kind]} />
              <span className="sv-watch-text">
                <b>{entry.server.name}</b> <span className="t2">{textOf(entry)}</span>
              </span>
              <WatchAction {...entry} readerId={readerId} />
              {index === 0 && watched.length > 1 ? (
                <button
                  type="button"
                  className="btn btn-quiet btn-s"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(!isOpen)}
                >
                  {t('watchMore', { count: watched.length - 1 })}
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
