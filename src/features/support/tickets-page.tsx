'use client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { switchesQuery } from '@/lib/queries/use-switches.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Chip } from '@/ui/controls/chip.tsx'
import { Input } from '@/ui/controls/input.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'
import { useRested } from '@/ui/screen/use-rested.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { GuidesLink } from './guides-link.tsx'
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

type FilterProps = {
  choice: Choice
  onChoose: (choice: Choice) => void
  typed: string
  onType: (text: string) => void
}

const Filter = ({ choice, onChoose, typed, onType }: FilterProps) => {
  const t = useTranslations('tickets')
  return (
    <div className="tk-filter" role="search">
      <Input
        type="search"
        label={t('search')}
        placeholder={t('search')}
        icon={<Search className="i i-s" aria-hidden />}
        value={typed}
        maxLength={TICKET_BOUNDS.searched}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <div className="tk-chips" role="group" aria-label={t('filter')}>
        {CHOICES.map((each) => (
          <Chip key={each} pressed={choice === each} onClick={() => onChoose(each)}>
            {each === 'all' ? t('all') : t(`status.${each}`)}
          </Chip>
        ))}
      </div>
    </div>
  )
}

type NothingProps = { isOff: boolean; choice: Choice; isSearch: boolean; onAll: () => void }

const Nothing = ({ isOff, choice, isSearch, onAll }: NothingProps) => {
  const t = useTranslations('tickets')
  return choice === 'all' && !isSearch ? (
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
      {t(isSearch || choice === 'all' ? 'none.found' : `none.${choice}`)}
    </EmptyState>
  )
}

const List = ({ isOff }: { isOff: boolean }) => {
  const t = useTranslations('tickets')
  const [choice, choose] = useAddressChoice('status', CHOICES)
  const [typed, type] = useAddressText('text')
  const text = useRested(typed).trim()
  const query = useInfiniteQuery(ticketsQuery(STATUSES[choice], text))
  const tickets = query.data?.pages.flat() ?? []
  return (
    <>
      <Filter choice={choice} onChoose={choose} typed={typed} onType={type} />
      <Region query={query} skeleton={<TicketRowsSkeleton />} failed={t('failed')}>
        {() =>
          tickets.length === 0 ? (
            <Nothing
              isOff={isOff}
              choice={choice}
              isSearch={text !== ''}
              onAll={() => {
                choose('all')
                type('')
              }}
            />
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
          <GuidesLink isShort />
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
          {/* The filters keep their place, whatever their height. */}
          <div className="tk-filter-wait" aria-hidden="true" inert>
            <Filter choice="all" onChoose={() => {}} typed="" onType={() => {}} />
          </div>
          <TicketRowsSkeleton />
        </>
      )}
    </div>
  )
}
