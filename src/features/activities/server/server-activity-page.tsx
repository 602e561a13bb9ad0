'use client'
import { LockKeyhole } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { ServerRegion } from '@/lib/servers/server-region.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { useRested } from '@/ui/screen/use-rested.ts'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { typesWithWords } from '../activity-words.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityLog, useActivityLog } from './activity-log.tsx'
import { ActivitySkeleton } from './activity-skeleton.tsx'
import { filterOf, isFiltered, useActivityChoice } from './filter-address.ts'
import { useNewEntries } from './use-new-entries.ts'

/** The filter of the call: what was typed once the typing stops, with the types whose words contain it. */
const useFilter = (chosen: ReturnType<typeof useActivityChoice>) => {
  const t = useTranslations('activities')
  const { choice, timeZone } = chosen
  const text = useRested(choice.text)
  const { who, group, way, range, from, until } = choice
  return useMemo(
    () =>
      filterOf(
        { text, who, group, way, range, from, until },
        { nowMs: Date.now(), timeZone, types: typesWithWords(text, (word) => t(`types.${word}`)) },
      ),
    [text, who, group, way, range, from, until, timeZone, t],
  )
}

const Log = ({ server }: { server: Server }) => {
  const t = useTranslations('serverActivity')
  const failureText = useFailureText()
  const chosen = useActivityChoice()
  const filter = useFilter(chosen)
  const query = useActivityLog(server.id, filter)
  const fresh = useNewEntries(server.id, filter, query.isPlaceholderData ? undefined : query.data)
  const me = useReader()
  const isPrivileged = me !== undefined && (me.id === server.owner.id || me.role.some(({ isAdmin }) => isAdmin === 1))
  const people = query.data?.pages[0]?.people ?? []
  return (
    <>
      <ActivityFilters chosen={chosen} people={people} hasContract={isPrivileged} />
      <Region
        query={query}
        skeleton={<ActivitySkeleton />}
        failed={
          <>
            {t('failed')} {query.error === null ? null : failureText(query.error)}
          </>
        }
      >
        {(data) => (
          <ActivityLog
            server={server}
            query={query}
            entries={data.pages.flatMap(({ items }) => items)}
            fresh={fresh}
            empty={isFiltered(chosen.choice) ? 'no match' : 'nothing yet'}
          />
        )}
      </Region>
    </>
  )
}

const Parts = ({ server }: { server: Server }) => {
  const t = useTranslations('serverActivity')
  return server.permissions.includes('activity.view') ? (
    <Log server={server} />
  ) : (
    <EmptyState picture={<LockKeyhole className="act-lock" aria-hidden />}>{t('forbidden')}</EmptyState>
  )
}

/** The activities of one server: who did what, when, how and from where. */
export const ServerActivityPage = ({ id }: { id: string }) => {
  const t = useTranslations('serverActivity')
  const query = useServer(id)
  const phase = useTogether(query)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <p className="t2">{t('text')}</p>
      </header>
      <Together phase={phase} reading={t('readingAll')}>
        <ServerRegion query={query} gone={t('gone')} skeleton={<ActivitySkeleton />} failed={t('failed')}>
          {(server) => <Parts key={server.id} server={server} />}
        </ServerRegion>
      </Together>
    </div>
  )
}
