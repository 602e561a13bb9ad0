'use client'

import { Link } from '@payloadcms/ui'
import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { words } from '../../fields/languages.ts'
import { adminQueries } from '../money/admin-queries.ts'
import { askAdmin } from '../money/ask-admin.ts'
import { ReadFailure } from '../money/money-table.tsx'
import { common } from '../money/money-words.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { ticketPath, TICKETS_PATH } from '../ticket-area.ts'
import { StateWord } from './states/state-word.tsx'

const own = {
  title: words('Other tickets of this customer', 'Az ügyfél többi hibajegye', 'Andere Tickets des Kunden'),
  none: words(
    'No other tickets in your categories.',
    'Nincs másik hibajegye a kategóriáidban.',
    'Keine anderen Tickets in deinen Kategorien.',
  ),
  all: words('Show all in the queue', 'Az összes a hibajegyek között', 'Alle in der Liste zeigen'),
}

const SHOWN = 5

/** The ticket itself may be among those that are asked for, and one more says that there are others. */
export const useOthers = ({ id, opener }: Pick<Ticket, 'id' | 'opener'>) =>
  useQuery(
    {
      queryKey: ['admin', 'tickets of customer', opener.id, id],
      queryFn: async () => {
        const answer = await askAdmin('GET /api/ticket/queue', { query: { openerId: opener.id, limit: SHOWN + 2 } })
        if (!answer.ok) throw new Error('The tickets of the customer could not be read')
        return answer.body.filter((each) => each.id !== id)
      },
    },
    adminQueries,
  )

/** The customer's tickets besides this one, as far as the reader works on them. */
export const EarlierTickets = ({ ticket }: { readonly ticket: Ticket }) => {
  const { say, moment } = useAdminLanguage()
  const { data, isError, refetch } = useOthers(ticket)
  return (
    <section aria-label={say(own.title)}>
      <h2>{say(own.title)}</h2>
      {isError ? <ReadFailure again={() => void refetch()} /> : null}
      {data === undefined && !isError ? <p role="status">{say(common.loading)}</p> : null}
      {data?.length === 0 ? <p className="bakter-quiet">{say(own.none)}</p> : null}
      {data === undefined || data.length === 0 ? null : (
        <ul className="bakter-people bakter-people-below">
          {data.slice(0, SHOWN).map(({ id, title, status, mergedInto, createdAt }) => (
            <li key={id}>
              <Link href={ticketPath(id)} prefetch={false}>
                {title}
              </Link>
              <span className="bakter-quiet">
                <StateWord status={status} mergedInto={mergedInto} /> ·{' '}
                <time dateTime={createdAt}>{moment(createdAt)}</time>
              </span>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.length > SHOWN ? (
        <Link href={`${TICKETS_PATH}?state=all&opener=${ticket.opener.id}`} prefetch={false}>
          {say(own.all)}
        </Link>
      ) : null}
    </section>
  )
}
