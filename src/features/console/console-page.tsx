'use client'
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTimeZone, useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import { shownWord } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { siteTimeZone } from '@/i18n/locales.ts'
import { keys } from '@/lib/queries/queries.ts'
import { withServerWord } from '@/lib/queries/server-store.ts'
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
import { KnownErrors } from './known-errors/known-errors.tsx'
import type { AcceptEula } from './known-errors/known-errors.tsx'
import { LogBox } from './log-box.tsx'
import { noAim } from './log-view.tsx'
import { keepClockChoice, logClock, readClockChoice, zoneOf } from './log/log-clock.ts'
import type { ClockChoice } from './log/log-clock.ts'
import { StartLine } from './start-line.tsx'
import { StatsBoard } from './stats/stats-board.tsx'
import { useConsole } from './use-console.ts'
import type { LiveConsole } from './use-console.ts'

// The chart library is loaded when somebody opens the graphs.
const StatsGraphs = dynamic(() => import('./stats-graphs.tsx').then((file) => file.StatsGraphs), { ssr: false })

/** The node's own state is shown on the whole page: menu, list and headline follow the console. */
const useSharedWord = (serverId: string, word: ServerWord | undefined) => {
  const client = useQueryClient()
  useEffect(() => {
    if (word === undefined) return
    client.setQueryData<Server[]>(keys.servers, (list) => list && [...withServerWord(list, serverId, word)])
  }, [client, serverId, word])
}

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

const Stats = ({ server, live, zone }: { server: Server; live: LiveConsole; zone: string }) => {
  const t = useTranslations('console.graphs')
  const [open, setOpen] = useState(false)
  const { state, connection } = live
  const send = useCallback((message: PanelClientMessage) => connection?.link.send(message) ?? false, [connection])
  return (
    <div className="con-stats">
      <StatsBoard stats={state.stats} samples={state.samples} server={server} stale={state.link.kind !== 'live'} />
      <button type="button" className="text-btn graphs-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('title')}
        <Icon name="down" size={16} />
      </button>
      {open ? <StatsGraphs server={server} state={state} zone={zone} send={send} /> : null}
    </div>
  )
}

const OpenConsole = ({ server, acceptEula }: { server: Server; acceptEula: AcceptEula }) => {
  const t = useTranslations('console.trouble')
  const live = useConsole(server.id)
  const { state, connection } = live
  const { choice, choose, zone, clock } = useClock()
  const [aim, setAim] = useState(noAim)
  // Suspension outranks the program's state.
  useSharedWord(server.id, server.suspended ? undefined : state.word)
  const word = server.suspended ? 'suspended' : shownWord(state.word, server.status)
  const isInsecure = state.link.kind === 'refused' && state.link.trouble === 'insecure'
  return (
    <div className="con-page">
      <ConsoleHead server={server} word={word} uptimeMs={state.stats?.uptime ?? null} />
      <Stats server={server} live={live} zone={zone} />
      <ConsoleNotes server={server} state={state} word={word} onDismiss={() => connection?.store.dismissNotice()} />
      <KnownErrors
        server={server}
        state={state}
        word={word}
        acceptEula={acceptEula}
        onShow={(seq) => setAim((before) => ({ seq, times: before.times + 1 }))}
      />
      <StartLine serverId={server.id} state={state} word={word} />
      {isInsecure ? (
        <Notice tone="stop">{t('insecure.text')}</Notice>
      ) : (
        <LogBox server={server} live={live} word={word} clock={clock} aim={aim} />
      )}
      <ConsoleFoot link={state.link} choice={choice} zone={zone} onChoice={choose} />
      <ConnectionDialog link={state.link} onRetry={() => connection?.link.connect()} />
    </div>
  )
}

export const ConsolePage = ({ id, acceptEula }: { id: string; acceptEula: AcceptEula }) => {
  const t = useTranslations('console')
  const tp = useTranslations('panel')
  const query = useServer(id)
  const phase = useTogether(query)
  if (query.data === undefined && isNoServer(query.error)) return <UnknownServer />
  return (
    <Together phase={phase} reading={tp('readingAll')}>
      <Region query={query} skeleton={null} failed={t('failed')}>
        {(server) => <OpenConsole server={server} acceptEula={acceptEula} />}
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
