import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Locale } from '#contracts/locale.ts'
import { TicketRows } from '../../../../src/features/support/list/ticket-rows.tsx'
import german from '../../../../src/messages/de.json' with { type: 'json' }
import english from '../../../../src/messages/en.json' with { type: 'json' }
import hungarian from '../../../../src/messages/hu.json' with { type: 'json' }
import { identifierOf, queuedTicket } from '../../../factories/staff-ticket.ts'

const MESSAGES = { en: english, hu: hungarian, de: german }
const rows = (locale: Locale): readonly string[] => {
  const tickets = [
    queuedTicket(1, { status: 'closed' }),
    queuedTicket(2, { status: 'closed', mergedInto: { id: queuedTicket(3).id, identifier: identifierOf(3) } }),
  ]
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="Europe/Budapest">
      <TicketRows tickets={tickets} />
    </NextIntlClientProvider>,
  )
  return html.split('<li').slice(1)
}
const lamp = (row = ''): string => row.slice(row.indexOf('tk-row__lamp'))
const shape = (row?: string) => /<svg.*<\/svg>/.exec(lamp(row))?.[0]

test.each([
  ['en', 'Closed', 'Merged into #'],
  ['hu', 'Lezárt', 'Összevonva ezzel: #'],
  ['de', 'Geschlossen', 'Zusammengeführt mit #'],
] as const)(
  'a list in %s says of a merged ticket where it went, in word and shape, and of a closed one that',
  (locale, closed, merged) => {
    const [one, other] = rows(locale)
    expect(lamp(one)).toContain(closed)
    expect(lamp(one)).not.toContain(merged)
    expect(lamp(other)).toContain(`${merged}${identifierOf(3)}`)
    expect(lamp(other)).not.toContain(closed)
    expect(shape(other)).not.toBe(shape(one))
  },
)
