'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Ticket } from '#contracts/http/ticket.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { keys } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { ticketPath } from '../ticket-queries.ts'

/** A change of a ticket; the page shows its outcome at once, and reads the line about it. */
export const useTicketChange = (ticketId: string, act: 'close' | 'reopen' | 'rating') => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body?: object) =>
      api.call(`${ticketPath(ticketId)}/${act}`, { method: 'POST', schema: Ticket, ...(body && { body }) }),
    onSuccess: (ticket) =>
      client.setQueryData<TicketView>(keys.ticket(ticketId), (known) => known && { ...known, ticket }),
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
  const failureText = useFailureText()
  const change = useTicketChange(ticketId, act)
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
              onClick={() => change.mutate(undefined, { onSuccess: () => setAsked(false) })}
            >
              {t('act')}
            </Button>
          </>
        }
      >
        <p>{t('text')}</p>
        {change.error === null ? null : (
          <Notice tone="stop" role="alert" className="my-3">
            {failureText(change.error)}
          </Notice>
        )}
      </Dialog>
    </>
  )
}
