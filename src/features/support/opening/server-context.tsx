'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import type { ServerTrouble } from '#domain/servers/server-trouble.ts'
import { formatDate } from '@/lib/format/date.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { LogLines } from './log-lines.tsx'
import { LookAgain } from './look-again.tsx'
import type { About } from './use-about-server.ts'

const TROUBLE_WORDS = {
  'server:crashed': 'crashed',
  'server:crash-loop': 'crashLoop',
  'server:start-failed': 'startFailed',
  'server:start-slow': 'startSlow',
  'server:storage-exceeded': 'storageExceeded',
  'server:storage-filling': 'storageFilling',
} as const satisfies Record<ServerTrouble, string>

/** Everything that goes along with a ticket about a server, as staff will read it. */
export const ServerContextView = ({
  context,
  about,
  isBusy,
}: {
  context: ServerContext
  about: About
  isBusy: boolean
}) => {
  const t = useTranslations('tickets.about')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const moment = (at: string) => formatDate(at, locale, { style: 'dateTime', timeZone })
  const { name, identifier, game, template, version, status, errors, log, missing } = context
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
      {missing === 'away' ? (
        <Notice tone="wait" role="status" action={<LookAgain about={about} isBusy={isBusy} />}>
          {t('away')}
        </Notice>
      ) : missing === 'suspended' ? (
        <p className="small t2">{t('suspended')}</p>
      ) : log === null ? (
        <p className="small t2">{t('noLog')}</p>
      ) : null}
      {log === null ? null : (
        <>
          <p className="small t2">
            {t(log.source === 'console' ? 'console' : 'log', { time: moment(log.at), count: log.lines.length })}
          </p>
          <LogLines
            lines={log.lines}
            without={about.without}
            onToggle={about.toggleLine}
            onRestore={about.restoreLines}
            isBusy={isBusy}
          />
        </>
      )}
    </>
  )
}
