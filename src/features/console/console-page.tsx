'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import { shownWord } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { keys, serverQuery, serversQuery } from '@/lib/api-client/queries.ts'
import { newRequestId } from '@/lib/api-client/request-id.ts'
import { withServerWord } from '@/lib/api-client/server-store.ts'
import { formatCount } from '@/lib/format-money.ts'
import { IconButton } from '@/ui/button.tsx'
import { Icon } from '@/ui/icon.tsx'
import { Notice } from '@/ui/notice.tsx'
import { Region } from '@/ui/region.tsx'
import { SkeletonRows } from '@/ui/states.tsx'
import { CommandLine } from './command-line.tsx'
import { ConnectionDialog, LinkLine } from './connection-dialog.tsx'
import { ConsoleHead } from './console-head.tsx'
import type { ConsoleState } from './console-store.ts'
import { filterEntries } from './levels.ts'
import type { Filter } from './levels.ts'
import { LogTools } from './log-tools.tsx'
import { LogView } from './log-view.tsx'
import { StatsBoard } from './stats-board.tsx'
import { useConsole } from './use-console.ts'
import type { LiveConsole } from './use-console.ts'
import './console.css'

const olderAtOnce = 500

/** Older lines are asked for when the reader reaches the top; one question at a time. */
const useOlder = ({ state, send }: LiveConsole) => {
  const asked = useRef(0)
  return () => {
    const first = state.log.entries.find((entry) => entry.kind === 'line')?.seq ?? 0
    const isFull = state.log.entries.length >= PANEL_LIMITS.linesShown
    if (first <= Math.max(1, state.firstSeq) || asked.current === first || isFull) return
    if (send({ event: 'send history', args: [{ before: first, limit: olderAtOnce }] })) asked.current = first
  }
}

const commandBlock = (word: ServerWord, state: ConsoleState): 'notLive' | 'notRunning' | null => {
  if (state.link.kind !== 'live') return 'notLive'
  return word === 'running' || word === 'starting' || word === 'stopping' ? null : 'notRunning'
}

const InstallNote = ({ state, word }: { state: ConsoleState; word: ServerWord }) => {
  const t = useTranslations('console')
  if (state.install === 'failed') return <Notice tone="stop">{t('installFailed')}</Notice>
  if (word === 'installing') return <Notice tone="wait">{t('installing')}</Notice>
  if (state.install === 'done' && word === 'offline') return <Notice tone="go">{t('installed')}</Notice>
  return null
}

const Notes = ({ server, live, word }: { server: Server; live: LiveConsole; word: ServerWord }) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const { notice } = live.state
  const isExpired = Date.parse(server.expiry) < Date.now()
  return (
    <>
      {server.suspended ? (
        <Notice tone="stop">{t('suspended', { reason: server.suspendedReason ?? '–' })}</Notice>
      ) : null}
      {isExpired ? <Notice tone="wait">{t('expired')}</Notice> : null}
      <InstallNote state={live.state} word={word} />
      {notice ? (
        <Notice
          tone={notice.tone}
          role="status"
          action={<IconButton small label={tc('close')} icon={<Icon name="close" />} onClick={live.dismissNotice} />}
        >
          {notice.text}
        </Notice>
      ) : null}
    </>
  )
}

const LogBox = ({ server, live, word }: { server: Server; live: LiveConsole; word: ServerWord }) => {
  const t = useTranslations('console')
  const [filter, setFilter] = useState<Filter>('all')
  const [search, setSearch] = useState('')
  const askOlder = useOlder(live)
  const { log } = live.state
  const blocked = commandBlock(word, live.state)
  const isFiltered = filter !== 'all' || search.trim() !== ''
  return (
    <section className="con" aria-label={t('title')}>
      <LogTools entries={log.entries} filter={filter} search={search} onFilter={setFilter} onSearch={setSearch} />
      <LogView
        entries={filterEntries(log.entries, filter, search)}
        dropped={isFiltered ? 0 : log.dropped}
        empty={t(isFiltered ? 'noMatch' : live.state.link.kind === 'live' ? 'empty' : 'waiting')}
        onReachTop={isFiltered ? () => undefined : askOlder}
      />
      {server.permissions.includes('console.command') ? (
        <CommandLine
          serverId={server.id}
          blocked={blocked === null ? null : t(blocked)}
          send={(command) => live.send({ event: 'send command', args: [command, newRequestId()] })}
        />
      ) : null}
    </section>
  )
}

/** What the node itself says is what the whole page shows: menu, list and headline follow the console. */
const useSharedWord = (serverId: string, word: ServerWord | undefined) => {
  const client = useQueryClient()
  useEffect(() => {
    if (word === undefined) return
    client.setQueryData<Server[]>(keys.servers, (list) => list && [...withServerWord(list, serverId, word)])
  }, [client, serverId, word])
}

const OpenConsole = ({ server }: { server: Server }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  const live = useConsole(server.id)
  const { state } = live
  useSharedWord(server.id, state.word)
  const word = server.suspended ? 'suspended' : shownWord(state.word, server.status)
  return (
    <div className="con-page">
      <ConsoleHead server={server} word={word} uptimeMs={state.stats?.uptime ?? null} />
      <StatsBoard stats={state.stats} samples={state.samples} server={server} stale={state.link.kind !== 'live'} />
      <Notes server={server} live={live} word={word} />
      <LogBox server={server} live={live} word={word} />
      <div className="con-foot">
        <LinkLine link={state.link} />
        <span className="only-desk">{t('kept', { count: formatCount(PANEL_LIMITS.linesShown, locale) })}</span>
      </div>
      <ConnectionDialog link={state.link} onRetry={live.reconnect} />
    </div>
  )
}

/** The list knows a server before its own answer comes: right after an order the page opens at once. */
export const useServer = (id: string) => {
  const listed = useQuery(serversQuery()).data?.find((server) => server.id === id)
  const own = useQuery(serverQuery(id))
  return { ...own, data: own.data ?? listed }
}

export const ConsolePage = ({ id }: { id: string }) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const query = useServer(id)
  return (
    <Region
      query={query}
      skeleton={<SkeletonRows rows={6} label={tc('loading')} />}
      failed={<ServerMissing failure={query.error} generic={t('failed')} />}
    >
      {(server) => <OpenConsole server={server} />}
    </Region>
  )
}

const ServerMissing = ({ failure, generic }: { failure: unknown; generic: string }) => {
  const t = useTranslations('console.trouble')
  const isUnknown =
    failure instanceof Error && 'status' in failure && (failure.status === 404 || failure.status === 400)
  if (!isUnknown) return generic
  return (
    <>
      <b className="b">{t('invalid.title')}</b> {t('invalid.text')}
    </>
  )
}
