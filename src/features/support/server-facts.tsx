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

/** A moment, as it is written beside what goes along about a server. */
const useMoment = () => {
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (at: string) => formatDate(at, locale, { style: 'dateTime', timeZone })
}

/** The game of a server, with its template and version. */
const gameOf = ({ game, template, version }: Pick<ServerContext, 'game' | 'template' | 'version'>): string =>
  [game, template, version].filter(Boolean).join(' · ')

/** The facts about a server beside its log, before they are sent with a ticket and afterwards. */
export const ServerFacts = ({ context }: { context: ServerContext }) => {
  const t = useTranslations('tickets.about')
  const moment = useMoment()
  const { name, identifier, status, errors } = context
  return (
    <dl className="tk-about__facts">
      <dt>{t('name')}</dt>
      <dd>
        {name} <span className="mono t2">#{identifier}</span>
      </dd>
      <dt>{t('game')}</dt>
      <dd>{gameOf(context)}</dd>
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
  )
}

/** Which lines of a server's log these are, and from when. */
export const LogTitle = ({ log: { at, lines, source } }: { log: NonNullable<ServerContext['log']> }) => {
  const t = useTranslations('tickets.about')
  const moment = useMoment()
  return t(source === 'console' ? 'console' : 'log', { time: moment(at), count: lines.length })
}
