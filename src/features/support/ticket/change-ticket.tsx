'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { TICKET_RATINGS, TicketView } from '#contracts/http/ticket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { ticketPath } from '../ticket-queries.ts'
import { TicketFailure } from './ticket-failure.tsx'

type TicketRating = (typeof TICKET_RATINGS)[number]
type Change = { readonly act: 'close' | 'reopen' } | { readonly act: 'rating'; readonly rating: TicketRating }

/** The page's knowledge about the outcome before it has read the ticket again. */
const changed = (view: TicketView, ticket: Ticket, change: Change): TicketView =>
  change.act === 'rating'
    ? { ...view, ticket, rating: change.rating }
    : { ...view, ticket, canReopen: change.act === 'close' }

/** A change of a ticket; the page shows its outcome at once, and reads the line about it. */
export const useTicketChange = (ticketId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Change) =>
      api.call(`${ticketPath(ticketId)}/${change.act}`, {
        method: 'POST',
        schema: Ticket,
        ...(change.act === 'rating' && { body: { rating: change.rating } }),
      }),
    onSuccess: (ticket, change) =>
      client.setQueryData<TicketView>(keys.ticket(ticketId), (known) => known && changed(known, ticket, change)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.ticket(ticketId) }),
        client.invalidateQueries({ queryKey: keys.tickets }),
      ]),
  })
}

/** A button that asks before it closes or reopens a ticket. */
export const ChangeTicket = ({ ticketId, act }: { ticketId: string; act: 'close' | 'reopen' }) => {
  const t = useTranslations(`tickets.${act}`)
  const tc = useTranslations('common')
  const change = useTicketChange(ticketId)
  const [isAsked, setAsked] = useState(false)
  const ask = () => {
    change.reset()
    setAsked(true)
  }
  return (
    <>
      <Button onClick={ask}>{t('act')}</Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={t('title')}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setAsked(false)}>{t('keep')}</Button>
            <Button
              look="primary"
              busy={change.isPending}
              onClick={() => change.mutate({ act }, { onSuccess: () => setAsked(false) })}
            >
              {t('act')}
            </Button>
          </>
        }
      >
        <p>{t('text')}</p>
        {change.error === null ? null : (
          <TicketFailure failure={change.error} ticketId={ticketId} isOpener className="my-3" />
        )}
      </Dialog>
    </>
  )
}
