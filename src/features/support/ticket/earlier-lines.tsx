'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { TicketView } from '#contracts/http/ticket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { keys } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { ticketPath } from '../ticket-queries.ts'
import { withEarlier } from './ticket-lines.ts'

/** The button before the first line while there are earlier ones. */
export const EarlierLines = ({ view }: { view: TicketView }) => {
  const t = useTranslations('tickets')
  const client = useQueryClient()
  const failureText = useFailureText()
  const { id } = view.ticket
  const before = view.messages[0]?.id
  const load = useMutation({
    mutationFn: () => api.call(`${ticketPath(id)}?before=${encodeURIComponent(before ?? '')}`, { schema: TicketView }),
    onSuccess: (earlier) =>
      client.setQueryData<TicketView>(keys.ticket(id), (known) => known && withEarlier(known, earlier)),
  })
  if (!view.hasEarlier || before === undefined) return null
  return (
    <p className="tk-earlier">
      <Button size="s" busy={load.isPending} onClick={() => load.mutate()}>
        {t('earlier')}
      </Button>
      {load.error === null ? null : <span role="alert">{failureText(load.error)}</span>}
    </p>
  )
}
