'use client'
import clsx from 'clsx'
import { Play } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ShownWord } from '#domain/servers/status.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { formatDate } from '@/lib/format/date.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { serverAddress } from '@/lib/format/plate-text.ts'
import { ServerPlate } from '@/lib/servers/server-plate.tsx'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
import { Button, buttonClass } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { RowPower } from './row-power.tsx'
import { consolePath } from './server-paths.ts'

const troubled = (server: Server) => server.status === 'crashed' || server.status === 'error on startup'

/** The note of a crashed server, with two links: the reason, and start again. */
const Trouble = ({ server }: { server: Server }) => {
  const t = useTranslations('servers')
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(server.id)
  const isStartOff = useIsStartOff()
  const canStart = !isStartOff && powerActionsFor(server.status, server.permissions).includes('start')
  return (
    <div className="why">
      <span className="grow">{t(server.status === 'crashed' ? 'crashedText' : 'startupErrorText')}</span>
      <PageLink className={buttonClass({ size: 's' })} href={consolePath(server)} prefetch={false}>
        {t('why')}
      </PageLink>
      {canStart ? (
        <Button
          look="primary"
          size="s"
          busy={power.isPending}
          onClick={() =>
            power.mutate('start', { onError: (failure) => toast({ lamp: 'crash', text: failureText(failure) }) })
          }
        >
          <Play className="i" aria-hidden />
          {t('actions.start')}
        </Button>
      ) : null}
    </div>
  )
}

/** The end of the paid time; once that is over, of the time for which the server is kept. */
const endOf = ({ expiry }: Server, word: ShownWord): string =>
  word === 'expired' ? new Date(deletionAtMs(Date.parse(expiry))).toISOString() : expiry

const ServerRow = ({ server }: { server: Server }) => {
  const t = useTranslations('servers')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const address = serverAddress(server)
  const word = shownWordOf(server, Date.now())
  const isBad = word !== 'expired' && troubled(server)
  return (
    <li className={clsx(isBad && 'bad')}>
      <ServerPlate server={server} />
      <div className="srv-name">
        <PageLink className="name" href={consolePath(server)} prefetch={false}>
          {server.name}
        </PageLink>
        {address && server.status !== 'installing' ? (
          <CopyText quiet text={address} label={t('copyAddress')} />
        ) : (
          <span className="small t2">{server.serviceName}</span>
        )}
      </div>
      <div className="st">
        <ServerLamp word={word} inList />
      </div>
      <div className="pl small t2">
        {server.status === 'installing' && server.installation
          ? t('since', { time: formatDate(server.installation.startedAt, locale, { style: 'time', timeZone }) })
          : t(word === 'expired' ? 'keptUntil' : 'until', {
              date: formatDate(endOf(server, word), locale, { style: 'day', timeZone }),
            })}
      </div>
      <div className="act">{isBad ? null : <RowPower server={server} />}</div>
      {isBad ? <Trouble server={server} /> : null}
    </li>
  )
}

/** Servers as rows of the summary: plate, name and address, lamp, and start or stop in place. */
export const ServerRows = ({ servers }: { servers: readonly Server[] }) => (
  <ul className="rowlist srv">
    {servers.map((server) => (
      <ServerRow key={server.id} server={server} />
    ))}
  </ul>
)
