'use client'
import { LockKeyhole } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTimeZone, useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { siteTimeZone } from '@/i18n/locales.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { isNoServer, useServer } from '@/lib/servers/use-server.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ConsoleFoot } from './console-foot.tsx'
import { ConsoleHead } from './console-head.tsx'
import { ConsoleNotes } from './console-notes.tsx'
import { closedConsole } from './console-store.ts'
import { KnownErrors } from './known-errors/known-errors.tsx'
import type { KnownFixes } from './known-errors/known-errors.tsx'
import { LogBox } from './log-box.tsx'
import { noAim } from './log-view.tsx'
import { keepClockChoice, logClock, readClockChoice, zoneOf } from './log/log-clock.ts'
import type { ClockChoice } from './log/log-clock.ts'
import { usePanelWord } from './panel-console.tsx'
import { StartLine } from './start-line.tsx'
import { StatsBoard } from './stats/stats-board.tsx'
import { useConsole } from './use-console.ts'
import type { LiveConsole } from './use-console.ts'
import { useMoment } from './use-moment.ts'
import type { SharedMoment } from './use-moment.ts'

// The chart library is loaded when somebody opens the graphs.
const StatsGraphs = dynamic(() => import('./stats-graphs.tsx').then((file) => file.StatsGraphs), { ssr: false })

const useClock = () => {
  const [choice, setChoice] = useState<ClockChoice>('server')
  useEffect(() => setChoice(readClockChoice()), [])
  const zone = zoneOf(choice, useTimeZone() ?? siteTimeZone)
  const clock = useMemo(() => logClock(zone), [zone])
  const choose = (next: ClockChoice) => {
    setChoice(next)
    keepClockChoice(next)
  }
  return { choice, choose, zone, clock }
}

type StatsProps = { server: Server; live: LiveConsole; zone: string; shared: SharedMoment }

const Stats = ({ server, live, zone, shared }: StatsProps) => {
  const t = useTranslations('console.graphs')
  const { isOpen: open, setOpen } = shared
  const { state, connection } = live
  const send = useCallback((message: PanelClientMessage) => connection?.link.send(message) ?? false, [connection])
  return (
    <div className="con-stats">
      <StatsBoard stats={state.stats} samples={state.samples} server={server} stale={state.link.kind !== 'live'} />
      <button type="button" className="text-btn graphs-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('title')}
        <Icon name="down" size={16} />
      </button>
      {open ? <StatsGraphs server={server} state={state} zone={zone} send={send} shared={shared} /> : null}
    </div>
  )
}

const OpenConsole = ({ server, fixes }: { server: Server; fixes: KnownFixes }) => {
  const t = useTranslations('console.trouble')
  const live = useConsole()
  const { state, connection } = live
  const { choice, choose, zone, clock } = useClock()
  const shared = useMoment()
  const [aim, setAim] = useState(noAim)
  const word = usePanelWord(server)
  const isInsecure = state.link.kind === 'refused' && state.link.trouble === 'insecure'
  return (
    <div className="con-page">
      <ConsoleHead
        server={server}
        word={word}
        uptimeMs={state.stats?.uptime ?? null}
        players={state.stats?.players ?? null}
      />
      <Stats server={server} live={live} zone={zone} shared={shared} />
      <ConsoleNotes server={server} state={state} word={word} onDismiss={() => connection?.store.dismissNotice()} />
      <KnownErrors
        server={server}
        state={state}
        word={word}
        fixes={fixes}
        onShow={(seq) => setAim((before) => ({ seq, times: before.times + 1 }))}
      />
      <StartLine serverId={server.id} state={state} word={word} />
      {isInsecure ? (
        <Notice tone="stop">{t('insecure.text')}</Notice>
      ) : (
        <LogBox server={server} live={live} word={word} clock={clock} shared={shared} aim={aim} />
      )}
      <ConsoleFoot link={state.link} choice={choice} zone={zone} onChoice={choose} />
      <ConnectionDialog
        link={state.link}
        isNodeAway={server.status === 'nodeoffline'}
        onRetry={() => connection?.link.connect()}
      />
    </div>
  )
}

/** A reader without the permission still sees the server's state, and the power actions that they have. */
const ClosedConsole = ({ server }: { server: Server }) => {
  const t = useTranslations('console')
  const tk = useTranslations('collaborators.keys')
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/ws']
  const word = usePanelWord(server)
  return (
    <div className="con-page">
      <ConsoleHead server={server} word={word} uptimeMs={null} players={null} />
      <ConsoleNotes server={server} state={closedConsole} word={word} onDismiss={() => undefined} />
      <EmptyState picture={<LockKeyhole className="con-lock" aria-hidden />}>
        {t('noRead', { permission: tk(permission) })}
      </EmptyState>
    </div>
  )
}

const mayReadConsole = ({ permissions }: Server): boolean =>
  permissions.includes(PERMISSION_OF_CALL['GET /api/server/{id}/ws'])

export const ConsolePage = ({ id, fixes }: { id: string; fixes: KnownFixes }) => {
  const t = useTranslations('console')
  const tp = useTranslations('panel')
  const query = useServer(id)
  const phase = useTogether(query)
  if (query.data === undefined && isNoServer(query.error)) return <UnknownServer />
  return (
    <Together phase={phase} reading={tp('readingAll')}>
      <Region query={query} skeleton={null} failed={t('failed')}>
        {(server) =>
          mayReadConsole(server) ? <OpenConsole server={server} fixes={fixes} /> : <ClosedConsole server={server} />
        }
      </Region>
    </Together>
  )
}

/** Retrying would not change it: the page links to the list. */
const UnknownServer = () => {
  const t = useTranslations('console.trouble')
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('invalid.title')}</h1>
      </header>
      <EmptyState
        action={
          <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/servers">
            {t('toServers')}
          </PageLink>
        }
      >
        {t('invalid.text')}
      </EmptyState>
    </div>
  )
}
