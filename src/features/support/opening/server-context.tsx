'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import type { ServerTrouble } from '#domain/servers/server-trouble.ts'
import { formatDate } from '@/lib/format/date.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'

const TROUBLE_WORDS = {
  'server:crashed': 'crashed',
  'server:crash-loop': 'crashLoop',
  'server:start-failed': 'startFailed',
  'server:start-slow': 'startSlow',
  'server:storage-exceeded': 'storageExceeded',
  'server:storage-filling': 'storageFilling',
} as const satisfies Record<ServerTrouble, string>

/** Everything that goes along with a ticket about a server, as staff will read it. */
export const ServerContextView = ({ context }: { context: ServerContext }) => {
  const t = useTranslations('tickets.about')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const moment = (at: string) => formatDate(at, locale, { style: 'dateTime', timeZone })
  const { name, identifier, game, template, version, status, errors, log } = context
  return (
    <>
      <dl className="tk-about__facts">
        <dt>{t('name')}</dt>
        <dd>
          {name} <span className="mono t2">#{identifier}</span>
        </dd>
        <dt>{t('game')}</dt>
        <dd>{[game, template, version].filter(Boolean).join(' · ')}</dd>
        <dt>{t('state')}</dt>
        <dd>
          <ServerLamp word={status} />
        </dd>
        <dt>{t('errors')}</dt>
        <dd>
          {errors.length === 0 ? t('noErrors') : null}
          {errors.map(({ type, at, reason }) => (
            <span key={`${type} ${at}`} className="tk-about__error">
              {t(`troubles.${TROUBLE_WORDS[type]}`)}
              {reason === null ? null : `: ${reason}`}{' '}
              <time className="t2" dateTime={at}>
                {moment(at)}
              </time>
            </span>
          ))}
        </dd>
      </dl>
      {log === null ? (
        <p className="small t2">{t('noLog')}</p>
      ) : (
        <>
          <p className="small t2">{t('log', { time: moment(log.at), count: log.lines.length })}</p>
          <pre className="tk-quote mono" role="region" aria-label={t('logLabel')} tabIndex={0}>
            {log.lines.join('\n')}
          </pre>
        </>
      )}
    </>
  )
}
