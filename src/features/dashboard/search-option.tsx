'use client'
import { CornerDownLeft, Ticket } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { shownWordOf } from '#domain/servers/status.ts'
import { plateText, serverAddress } from '@/lib/format/plate-text.ts'
import { ServerLamp } from '@/lib/servers/server-lamp.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { isOutside } from './entries.ts'
import type { Entry } from './entries.ts'
import { partsOf } from './search.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import type { Hit } from './search-hits.ts'

const Marked = ({ text, input }: { text: string; input: string }) =>
  partsOf(text, input).map((part, at) => (part.isHit ? <mark key={at}>{part.text}</mark> : part.text))

const EntryIcon = ({ entry, isActive }: { entry: Entry; isActive: boolean }) => (
  <svg viewBox={entry.viewBox} width="20" height="20" aria-hidden="true" className="i">
    {isActive ? (
      <path d={entry.svgActive} fill="currentColor" fillRule="evenodd" />
    ) : (
      <path d={entry.svgInactive} fill="none" stroke="currentColor" strokeWidth="1.75" />
    )}
  </svg>
)

const ticketLamps: Readonly<Record<TicketState, LampKind>> = {
  open: 'go',
  'waiting for response': 'due',
  closed: 'off',
}

type Facts = { sign: ReactNode; name: string; sub?: string | undefined; end?: ReactNode }

const useFacts = (hit: Hit, isSelected: boolean): Facts => {
  const t = useTranslations('dashboard.search')
  const tc = useTranslations('common')
  const tm = useTranslations('tickets.merged')
  if (hit.kind === 'servers') {
    return {
      sign: <Plate size="s">{plateText(hit.server)}</Plate>,
      name: hit.server.name,
      sub: serverAddress(hit.server) ?? hit.server.serviceName,
      end: <ServerLamp word={shownWordOf(hit.server, Date.now())} inList />,
    }
  }
  if (hit.kind === 'tickets') {
    const { title, lastMessage, status, mergedInto } = hit.ticket
    const state = status === 'waiting for response' ? 'waiting' : status
    return {
      sign: <Ticket className="i" aria-hidden />,
      name: title,
      sub: lastMessage.message,
      end: (
        <Lamp kind={mergedInto ? 'joined' : ticketLamps[status]} quiet={status === 'closed'}>
          {mergedInto ? tm('fact', { number: mergedInto.identifier }) : t(`ticket.${state}`)}
        </Lamp>
      ),
    }
  }
  return {
    sign: <EntryIcon entry={hit.menu.entry} isActive={isSelected} />,
    name: hit.menu.title,
    sub: hit.menu.sub,
    end: isOutside(hit.link) ? (
      <>
        <Icon name="external" size={16} className="i" />
        <span className="vh">{tc('newTab')}</span>
      </>
    ) : undefined,
  }
}

type SearchOptionProps = {
  id: string
  hit: Hit
  input: string
  isSelected: boolean
  onSelect: () => void
  onOpen: () => void
}

/** One result. The input keeps the focus, so a press must not take it. */
export const SearchOption = ({ id, hit, input, isSelected, onSelect, onOpen }: SearchOptionProps) => {
  const { sign, name, sub, end } = useFacts(hit, isSelected)
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onPointerMove={onSelect}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className="pal-sign">{sign}</span>
      <span className="cut">
        <span className="nm cut">
          <Marked text={name} input={input} />
        </span>
        {sub === undefined ? null : (
          <span className="sub cut">{hit.kind === 'tickets' ? <Marked text={sub} input={input} /> : sub}</span>
        )}
      </span>
      <span className="small">{end}</span>
      <span className="pal-go">{isSelected ? <CornerDownLeft className="i i-s" aria-hidden /> : null}</span>
    </div>
  )
}
