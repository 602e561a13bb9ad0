'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { DEFAULT_SUMMARY_LAYOUT, type SummaryPanel } from '#domain/users/summary-layout.ts'
import { lastsCell, nextDueCell } from '@/features/billing/balance-board.tsx'
import { BalancePanel } from '@/features/billing/balance-panel.tsx'
import { DuePanel } from '@/features/billing/due-panel.tsx'
import { useRunway } from '@/features/billing/use-runway.ts'
import { LampCounts, ServersPanel } from '@/features/servers/servers-panel.tsx'
import { GuidesPanel } from '@/features/summary/guides-panel.tsx'
import { NewsPanel, type NewsTitle } from '@/features/summary/news-panel.tsx'
import { PanelBoard } from '@/features/summary/panel-board.tsx'
import { PanelsButton } from '@/features/summary/panels-dialog.tsx'
import { PlayersPanel } from '@/features/summary/players-panel.tsx'
import { useSummaryLayout } from '@/features/summary/use-summary-layout.ts'
import { VotingPanel } from '@/features/summary/voting-panel.tsx'
import { votingQuery } from '@/features/summary/voting-query.ts'
import { balanceQuery, meQuery, serversQuery } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Board } from '@/ui/surfaces/board.tsx'
import type { PanelTools } from '@/ui/surfaces/panel.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { FirstRun } from './first-run.tsx'
import { Report, wordsOf, type Seen } from './report.tsx'
import { useWaiting } from './use-waiting.ts'
import { WaitingPanel, waitingCell } from './waiting-panel.tsx'

/** Panels that have nothing to show before the first server. */
const OF_SERVERS: readonly SummaryPanel[] = ['servers', 'due', 'players']

type Waited = Pick<ReturnType<typeof useWaiting>, 'lines' | 'isMissing'>

const Watch = ({ servers, isMissing, waiting }: Seen & { waiting: Waited }) => {
  const t = useTranslations('summary')
  const tw = useTranslations('summary.waiting')
  const tb = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const runway = useRunway()
  return (
    <div className="mb-6">
      <Board
        columns={4}
        cells={[
          {
            id: 'servers',
            term: t('servers'),
            value: servers?.length ? <LampCounts words={wordsOf(servers)} /> : servers ? 0 : '–',
            note: servers ? t('total', { count: servers.length }) : isMissing ? tb('unknown') : undefined,
          },
          lastsCell(tb, { locale, timeZone }, runway),
          nextDueCell(tb, { locale, timeZone }, runway),
          waitingCell(tw, waiting),
        ]}
      />
    </div>
  )
}

/** The panels that a reader can have, and how each is drawn. */
const usePanels = (servers: Seen['servers'], waiting: Waited, news: readonly NewsTitle[]) => {
  const { query, change } = useSummaryLayout()
  const voting = useQuery(votingQuery(useLocale()))
  const { order, hidden } = query.data ?? DEFAULT_SUMMARY_LAYOUT
  const isPossible = (panel: SummaryPanel): boolean => {
    if (panel === 'voting') return voting.data?.voting !== null
    return servers?.length !== 0 || !OF_SERVERS.includes(panel)
  }
  const possible = order.filter(isPossible)
  const draw: Readonly<Record<SummaryPanel, (tools: PanelTools) => ReactNode>> = {
    servers: (tools) => <ServersPanel {...tools} />,
    waiting: (tools) => <WaitingPanel {...tools} {...waiting} />,
    due: (tools) => <DuePanel {...tools} />,
    balance: (tools) => <BalancePanel {...tools} />,
    players: (tools) => <PlayersPanel {...tools} />,
    news: (tools) => <NewsPanel {...tools} news={news} />,
    voting: (tools) => <VotingPanel {...tools} />,
    guides: (tools) => <GuidesPanel {...tools} />,
  }
  return {
    query,
    parts: [query, voting] as const,
    change,
    order,
    possible,
    shown: possible.filter((panel) => !hidden.includes(panel)),
    draw: (panel: SummaryPanel, tools: PanelTools) => draw[panel](tools),
  }
}

const NoPanels = ({ onChoose }: { onChoose: () => void }) => {
  const t = useTranslations('summary.panels')
  return <EmptyState action={<Button onClick={onChoose}>{t('show')}</Button>}>{t('none')}</EmptyState>
}

/** The page of each day: is everything running, until when is it paid, who waits for the reader, and the panels in their order. */
export const SummaryView = ({ news }: { news: readonly NewsTitle[] }) => {
  const t = useTranslations('summary')
  const query = useQuery(serversQuery())
  const waiting = useWaiting()
  const button = useRef<HTMLButtonElement>(null)
  const panels = usePanels(query.data, waiting, news)
  const phase = useTogether(query, useQuery(balanceQuery()), useQuery(meQuery()), ...panels.parts, ...waiting.parts)
  // The sentence may need a second line, so it comes with everything below it.
  const servers = phase === 'ready' ? query.data : undefined
  const isMissing = phase === 'ready' && query.isError
  const { change, order, possible, shown, draw } = panels
  const tools = <PanelsButton button={button} layout={panels.query.data} possible={possible} change={change} />
  return (
    <div className="page">
      <Report servers={servers} isMissing={isMissing} end={tools} />
      <Together phase={phase} reading={t('readingAll')}>
        <Watch servers={servers} isMissing={isMissing} waiting={waiting} />
        {servers?.length === 0 ? <FirstRun /> : null}
        {panels.query.isError && panels.query.data === undefined ? (
          <p className="stale-note" role="status">
            <Lamp kind="due">{t('panels.failed')}</Lamp>
          </p>
        ) : null}
        <PanelBoard
          order={order}
          shown={shown}
          draw={draw}
          canArrange={panels.query.data !== undefined}
          change={change}
          onHidden={() => button.current?.focus()}
        />
        {shown.length === 0 ? <NoPanels onChoose={() => button.current?.click()} /> : null}
      </Together>
    </div>
  )
}
