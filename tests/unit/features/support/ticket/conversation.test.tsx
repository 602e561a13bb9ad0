import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { TicketMessage } from '#contracts/http/ticket.ts'
import type { Locale } from '#contracts/locale.ts'
import { Conversation } from '../../../../../src/features/support/ticket/conversation.tsx'
import german from '../../../../../src/messages/de.json' with { type: 'json' }
import english from '../../../../../src/messages/en.json' with { type: 'json' }
import hungarian from '../../../../../src/messages/hu.json' with { type: 'json' }
import { ticketLine } from '../../../../factories/staff-ticket.ts'

const MESSAGES = { en: english, hu: hungarian, de: german }
const shown = (quoted: string | undefined, locale?: Locale): string =>
  drawn(ticketLine(1, quoted === undefined ? {} : { quoted }), locale)
const drawn = (line: TicketMessage, locale: Locale = 'en'): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="Europe/Budapest">
      <Conversation
        ticketId="01890000-0000-7000-8000-000000000000"
        readerId="01890000-0000-7000-8000-000000000001"
        lines={[line]}
      />
    </NextIntlClientProvider>,
  )

test.each([
  ['en', 'Quoted text and signature'],
  ['hu', 'Idézett szöveg és aláírás'],
  ['de', 'Zitierter Text und Signatur'],
] as const)('the quotation of a mail is folded, under its own label in %s', (locale, label) => {
  const html = shown('> Please restart it\n-- \nAnna', locale)
  const [, summary, quoted] =
    /<details(?![^>]* open)[^>]*><summary[^>]*>([^<]*)<\/summary><p[^>]*>([^<]*)<\/p><\/details>/.exec(html) ?? []
  expect([summary, quoted]).toEqual([label, '&gt; Please restart it\n-- \nAnna'])
})

test('the quotation of a mail stays text', () => {
  const html = shown('<img src=x onerror=alert(1)> [x](javascript:alert(1)) **bold**')
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; [x](javascript:alert(1)) **bold**')
})

test('a message without a quotation offers nothing to unfold', () => {
  expect(shown(undefined)).not.toContain('<details')
})

test.each([
  ['en', 'dora granted a free one-day test server: Try.', 'Open the server'],
  ['hu', 'dora ingyenes, egynapos tesztszervert adott: Try.', 'Szerver megnyitása'],
  ['de', 'dora hat einen kostenlosen Testserver für einen Tag gewährt: Try.', 'Server öffnen'],
] as const)(
  'a granted test server is told in %s, and leads to its panel where the reader may open it',
  (locale, text, label) => {
    const serverId = '01890000-0000-7000-8000-000000000009'
    const event = { type: 'test server granted', about: 'Try' } as const
    const line = ticketLine(1, {
      kind: 'event',
      message: '',
      author: { id: serverId, username: 'dora', isStaff: true },
    })
    const html = drawn({ ...line, event: { ...event, serverId } }, locale)
    expect(html).toContain(text)
    expect(html).toMatch(new RegExp(`<a [^>]*href="[^"]*/panel/${serverId}/console"[^>]*>${label}</a>`))
    expect(drawn({ ...line, event }, locale)).not.toContain('<a ')
  },
)
