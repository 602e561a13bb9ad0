'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { ServerRegion } from '@/lib/servers/server-region.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { LeaveButton } from './leave-button.tsx'
import { PeoplePanel } from './people-panel.tsx'
import { peopleQuery, roomQuery } from './use-collaborators.ts'
import { useShareWords } from './use-share-words.ts'

type PartProps = { readonly server: Server; readonly readerId: string }

const People = ({ server, readerId }: PartProps) => {
  const t = useTranslations('collaborators')
  const [people, room] = [useQuery(peopleQuery(server.id)), useQuery(roomQuery(server.id))]
  const both = {
    ...people,
    data: people.data && room.data ? { people: people.data, room: room.data } : undefined,
    isError: people.isError || room.isError,
    error: people.error ?? room.error,
    refetch: () => Promise.all([people.refetch(), room.refetch()]),
  }
  const { failureWord } = useShareWords()
  const failed = both.error === null ? t('failed') : `${t('failed')} ${failureWord(both.error)}`
  return (
    <Together phase={useTogether(both)} reading={t('readingAll')}>
      <Region query={both} skeleton={<SkeletonRows rows={6} />} failed={failed}>
        {(found) => <PeoplePanel server={server} readerId={readerId} {...found} />}
      </Region>
    </Together>
  )
}

/** Without the permission to see the others a collaborator can still leave. */
const Hidden = ({ server, readerId }: PartProps) => {
  const t = useTranslations('collaborators')
  const { permissionWord } = useShareWords()
  return (
    <EmptyState action={<LeaveButton server={server} userId={readerId} />}>
      {t('noList', { permission: permissionWord('user.list') })}
    </EmptyState>
  )
}

/** The people with whom a server is shared. */
export const CollaboratorsPage = ({ id }: { id: string }) => {
  const t = useTranslations('collaborators')
  const query = useServer(id)
  const server = query.data
  const readerId = useReader()?.id
  return (
    <div className="page collaborators">
      <header className="page-h">
        <div className="grow">
          <h1>{t('title')}</h1>
          <p className="t2">{server?.permissions.includes('user.list') ? t('lead', { server: server.name }) : ' '}</p>
        </div>
      </header>
      <ServerRegion
        query={query}
        gone={t('gone')}
        skeleton={<SkeletonRows rows={8} label={t('readingAll')} />}
        failed={t('failed')}
      >
        {(found) => {
          if (readerId === undefined) return <SkeletonRows rows={8} label={t('readingAll')} />
          const Part = found.permissions.includes('user.list') ? People : Hidden
          return <Part server={found} readerId={readerId} />
        }}
      </ServerRegion>
    </div>
  )
}
