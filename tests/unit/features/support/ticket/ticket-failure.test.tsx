import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TicketFailure } from '../../../../../src/features/support/ticket/ticket-failure.tsx'
import { ApiFailure } from '../../../../../src/lib/browser-client/failure.ts'
import english from '../../../../../src/messages/en.json' with { type: 'json' }

const shown = (code: 'TICKET_TOO_OLD' | 'TICKET_CLOSED', isOpener: boolean): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="Europe/Budapest">
      <TicketFailure
        failure={new ApiFailure({ code, status: 409, message: english.errors[code] })}
        ticketId="abc"
        isOpener={isOpener}
      />
    </NextIntlClientProvider>,
  )

test('a person who cannot reopen their ticket any more is led to a new one that links to it', () => {
  const html = shown('TICKET_TOO_OLD', true)
  expect(html).toContain('closed for more than 30 days')
  expect(html).toMatch(
    /<a [^>]*href="[^"]*\/dashboard\/ticket\?follows=abc"[^>]*>Open a new ticket about this one<\/a>/,
  )
})

test('no new ticket is offered for one that can be reopened, nor to somebody who did not open it', () => {
  expect(shown('TICKET_CLOSED', true)).not.toContain('<a ')
  expect(shown('TICKET_TOO_OLD', false)).not.toContain('<a ')
})
