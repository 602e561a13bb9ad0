'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { serversQuery } from '@/lib/queries/queries.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { lampKindOf } from '@/lib/servers/server-lamp.tsx'
import { SHOWN_STATUS, shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { ServerRows } from './server-rows.tsx'
import { countWords } from './watch-report.ts'

const rowsShown = 8

/** The summary's list of servers; the worst come first, and the rest is a link away. */
export const ServersPanel = (tools: PanelTools) => {
  const t = useTranslations('servers')
  const query = useQuery(serversQuery())
  const count = query.data?.length ?? 0
  return (
    <Panel
      {...tools}
      title={t('title')}
      {...(count > 0
        ? {
            end: (
              <PageLink className="more" href="/dashboard/servers">
                {t('all', { count })}
              </PageLink>
            ),
          }
        : {})}
    >
      <Region query={query} skeleton={<RowsSkeleton />} failed={t('failed')}>
        {(servers) => <ServerRows servers={worstFirst(servers).slice(0, rowsShown)} />}
      </Region>
    </Panel>
  )
}

const isBad = (word: ShownWord) => word === 'crashed' || word === 'error on startup' || word === 'expired'
const worstFirst = <Server extends { status: ServerWord; expiry: string }>(servers: readonly Server[]) => {
  const rank = (server: Server) => Number(isBad(shownWordOf(server, Date.now())))
  return servers.toSorted((a, b) => rank(b) - rank(a))
}

/** Lamps with their counts, with words for assistive technology. */
export const LampCounts = ({ words }: { words: readonly ShownWord[] }) => {
  const t = useTranslations('status')
  return (
    <ul className="lamp-counts">
      {countWords(words).map(({ word, count }) => (
        <li key={word}>
          <LampGlyph kind={lampKindOf(SHOWN_STATUS[word])} />
          {count}
          <span className="vh"> {t(SHOWN_STATUS[word].label)}</span>
        </li>
      ))}
    </ul>
  )
}
