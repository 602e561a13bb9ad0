'use client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BookOpen, Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { guidePath } from '#contracts/guides/topics.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { switchesQuery } from '@/lib/queries/use-switches.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Chip } from '@/ui/controls/chip.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { useAddressChoice } from '@/ui/screen/address-state.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { TicketRows, TicketRowsSkeleton } from './list/ticket-rows.tsx'
import { TICKET_LINKS } from './ticket-links.ts'
import { ticketsQuery } from './ticket-queries.ts'
import './support.css'

const CHOICES = ['all', 'open', 'waiting', 'closed'] as const
type Choice = (typeof CHOICES)[number]
const STATUSES = { all: undefined, open: 'open', waiting: 'waiting for response', closed: 'closed' } as const

const NewTicket = ({ primary = false }: { primary?: boolean }) => {
  const t = useTranslations('tickets')
  return (
    <PageLink className={buttonClass({ look: primary ? 'primary' : 'plain' })} href={TICKET_LINKS.opening}>
      <Plus className="i" aria-hidden />
      {t('new')}
    </PageLink>
  )
}

const Filter = ({ choice, onChoose }: { choice: Choice; onChoose: (choice: Choice) => void }) => {
  const t = useTranslations('tickets')
  return (
    <div className="tk-filter" role="group" aria-label={t('filter')}>
      {CHOICES.map((each) => (
        <Chip key={each} pressed={choice === each} onClick={() => onChoose(each)}>
          {each === 'all' ? t('all') : t(`status.${each}`)}
        </Chip>
      ))}
    </div>
  )
}

const Nothing = ({ isOff, choice, onAll }: { isOff: boolean; choice: Choice; onAll: () => void }) => {
  const t = useTranslations('tickets')
  return choice === 'all' ? (
    <EmptyState
      picture={<Drawing group="empty" name="tickets" width={320} />}
      action={isOff ? undefined : <NewTicket primary />}
    >
      {t('empty')}
    </EmptyState>
  ) : (
    <EmptyState
      picture={<Drawing group="empty" name="nothing-found" width={320} />}
      action={
        <button type="button" className={buttonClass({})} onClick={onAll}>
          {t('showAll')}
        </button>
      }
    >
      {t(`none.${choice}`)}
    </EmptyState>
  )
}

const List = ({ isOff }: { isOff: boolean }) => {
  const t = useTranslations('tickets')
  const [choice, choose] = useAddressChoice('status', CHOICES)
  const query = useInfiniteQuery(ticketsQuery(STATUSES[choice]))
  const tickets = query.data?.pages.flat() ?? []
  return (
    <>
      <Filter choice={choice} onChoose={choose} />
      <Region query={query} skeleton={<TicketRowsSkeleton />} failed={t('failed')}>
        {() =>
          tickets.length === 0 ? (
            <Nothing isOff={isOff} choice={choice} onAll={() => choose('all')} />
          ) : (
            <PagedList query={query} rows={tickets} empty={t('empty')} older={t('older')}>
              {(rows) => <TicketRows tickets={rows} />}
            </PagedList>
          )
        }
      </Region>
    </>
  )
}

/** The reader's tickets. If staff have switched tickets off, that is shown first; they can still be read. */
export const TicketsPage = () => {
  const t = useTranslations('tickets')
  const tw = useTranslations('switches')
  const switches = useQuery(switchesQuery())
  const isOff = switches.data?.tickets === false
  const isSettled = switches.data !== undefined || switches.isError
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <div className="end">
          <PageLink className={buttonClass({ look: 'quiet' })} href={guidePath('servers')}>
            <BookOpen className="i" aria-hidden />
            {t('guides')}
          </PageLink>
          {isOff ? null : <NewTicket />}
        </div>
      </header>
      {isOff ? (
        <Notice tone="wait" role="status">
          {tw('tickets')}
        </Notice>
      ) : null}
      {isSettled ? (
        <List isOff={isOff} />
      ) : (
        <>
          <div className="tk-filter tk-filter-wait" aria-hidden="true" />
          <TicketRowsSkeleton />
        </>
      )}
    </div>
  )
}
