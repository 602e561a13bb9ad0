import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MailContent, type MailKind, type MailParams } from '#contracts/mail/mail.ts'
import { KNOWN_ERRORS } from '#domain/known-errors/rules.ts'
import { ANSWERED_MAILS } from '#domain/tickets/mail-decision.ts'
import { LOCALES } from '#contracts/locale.ts'
import { knownErrorTitle } from '../../../../../control-plane/messages/mail/templates/known-error-titles.ts'
import { renderMail } from '../../../../../control-plane/messages/mail/render-mail.ts'

const facts = { hostName: 'Bakter', siteUrl: 'https://host.example' }
const at = '2026-11-21T11:30:00Z'
const NAME = '<img src=x onerror=alert(1)>'

/** One of each: a kind without a row does not compile. */
const TICKET_PAGE = '/dashboard/ticket/01890000-0000-7000-8000-000000000000'
const SAMPLES: { [Kind in MailKind]: MailParams<Kind> } = {
  verify: { username: 'anna', code: '012345', minutes: 10 },
  reset: { username: 'anna', path: '/auth/passwordreset?token=t0ken', minutes: 30 },
  'email-change': { username: 'anna', newEmail: 'new@example.com', path: '/auth/email?confirm=t0ken', minutes: 1_440 },
  'email-change-notice': {
    username: 'anna',
    newEmail: 'new@example.com',
    path: '/auth/email?undo=t0ken',
    minutes: 10_080,
  },
  'new-device': {
    username: 'anna',
    device: NAME,
    address: '203.0.113.7',
    place: 'Pécs, Magyarország',
    at,
    path: '/auth/passwordreset',
    takesFactorsAway: false,
  },
  'register-attempt': { username: 'anna', path: '/auth/passwordreset' },
  'security-change': {
    username: 'anna',
    change: 'app-off',
    address: '203.0.113.7',
    at,
    path: '/auth/passwordreset',
    takesFactorsAway: false,
  },
  'session-copied': {
    username: 'anna',
    address: '203.0.113.7',
    at,
    path: '/auth/passwordreset',
    takesFactorsAway: false,
  },
  'account-deletion': { username: 'anna', at, path: '/auth/deletion?undo=t0ken' },
  'data-export': { username: 'anna', address: '203.0.113.7', at, path: '/auth/passwordreset' },
  invoice: { number: 'B-2026/000001', amountFt: 1_990, at, path: '/dashboard/balance/invoices' },
  correction: {
    number: 'SZ-2026-000002',
    of: 'SZ-2026-000001',
    amountFt: 300,
    at,
    path: '/dashboard/balance/invoices',
  },
  storno: { number: 'SZ-2026-000002', of: 'SZ-2026-000001', amountFt: 1_990, at, path: '/dashboard/balance/invoices' },
  expiry: { server: NAME, at, path: '/panel/abc/console' },
  withdrawal: {
    contract: 'order',
    number: '01890000-0000-7000-8000-000000000000',
    product: NAME,
    server: NAME,
    at,
    concludedAt: at,
    endsAt: at,
    backFt: 1_980,
    keptFt: 10,
    path: '/dashboard/balance/summary',
  },
  'code-guesses': {
    username: NAME.slice(0, 32),
    address: '198.51.100.7',
    at,
    path: '/auth/passwordreset',
    takesFactorsAway: false,
  },
  'mail-answer': { why: 'unmatched', path: '/dashboard/tickets' },
  'ticket.reply': {
    title: NAME,
    person: NAME.slice(0, 32),
    replies: [
      {
        person: 'Ben',
        text: `${NAME}\n\nSecond paragraph`,
        files: [
          { name: NAME, size: 1 },
          { name: 'world.zip', size: 1_572_864 },
        ],
      },
    ],
    thread: {
      ticketId: '01890000-0000-7000-8000-000000000000',
      userId: '01890000-0000-7000-8000-000000000001',
      identifier: 'acdefghj',
    },
    path: TICKET_PAGE,
  },
  'ticket.added': { title: NAME, person: 'anna', path: TICKET_PAGE },
  'ticket.closed': { title: NAME, person: 'anna', rates: true, reopens: true, path: TICKET_PAGE },
  'ticket.assigned': { title: NAME, person: 'anna', path: '/admin/ticket/abc' },
  'ticket.opened': { title: NAME, person: 'anna', path: '/admin/ticket/abc' },
  'server.installed': { server: NAME, product: NAME, path: '/panel/abc/console' },
  'purchase.success': { server: NAME, product: NAME, amountFt: 1_990, path: '/panel/abc/console' },
  'server.expired': { server: NAME, path: '/panel/abc/console' },
  'topup.failed': { amountFt: 5_000, path: '/dashboard/balance/summary' },
  'topup.successful': { amountFt: 5_000, path: '/dashboard/balance/summary' },
  'premium.expired': { tier: 'Maximus', path: '/dashboard/premium' },
  'refund.sent': { amountFt: 5_000, debtFt: 990, path: '/dashboard/balance/summary' },
  'refund.failed': { amountFt: 5_000, path: '/dashboard/balance/summary' },
  'server.crashed': {
    server: NAME,
    path: '/panel/01890000-0000-7000-8000-000000000001/console',
    again: true,
    error: 'out-of-memory',
    lines: ['java.lang.OutOfMemoryError: Java heap space', NAME],
  },
  'server.storage-filling': { server: NAME, path: '/panel/abc/files' },
  'server.invited': { server: NAME, person: 'anna', path: '/dashboard/servers' },
  'renewal.missing': {
    server: NAME,
    amountFt: 740,
    path: '/panel/01890000-0000-7000-8000-000000000001/settings',
  },
  'refund.size': { server: NAME, amountFt: 1_500, path: '/dashboard/balance/summary' },
  'server.package-changed': { server: NAME, amountFt: 490, path: '/panel/abc/console' },
  'payment.taken-back': { amountFt: 5_000, debtFt: 990, path: '/dashboard/balance/summary' },
}
/** Every reason of an answer has words of its own. */
const ANSWERS = ANSWERED_MAILS.map((why) =>
  MailContent.parse({ kind: 'mail-answer', params: { why, path: '/dashboard/ticket?follows=abc' } }),
)
const contents = [...Object.entries(SAMPLES).map(([kind, params]) => MailContent.parse({ kind, params })), ...ANSWERS]
const each = LOCALES.flatMap((language) => contents.map((content) => [content.kind, language, content] as const))

describe.each(each)('the mail "%s" in %s', (_kind, language, content) => {
  it('has a subject of one line, both forms, its language, and leads to this site alone', async () => {
    const { subject, html, text } = await renderMail(content, { language, facts })
    expect(subject).toMatch(/^\S.{5,200}\S$/u)
    expect(html).toContain(`lang="${language}"`)
    expect(text.length).toBeGreaterThan(100)
    const addresses = [...`${html} ${text}`.matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([address]) => address)
    expect(
      addresses.filter(
        (address) => !address.startsWith('https://host.example/') && !address.startsWith('http://www.w3.org/'),
      ),
    ).toEqual([])
    const { params } = content
    if ('path' in params) expect(text).toContain(`https://host.example${params.path}`)
    if ('code' in params) expect([html, text].every((form) => form.includes(params.code))).toBe(true)
  })

  it('breaks no word that fits into a line', async () => {
    expect((await renderMail(content, { language, facts })).html).not.toContain('break-all')
  })

  it('takes a name as text, loads nothing and runs nothing', async () => {
    const { html } = await renderMail(content, { language, facts: { ...facts, hostName: NAME } })
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<script|<link|@import|url\(/)
  })
})

it.each(LOCALES)(
  'a crash in %s names the known error as the console does, and shows the last lines',
  async (language) => {
    const catalog = JSON.parse(
      readFileSync(new URL(`../../../../../src/messages/${language}.json`, import.meta.url), 'utf8'),
    ) as { console: { known: { title: Record<string, string> } } }
    for (const { id } of KNOWN_ERRORS) {
      expect(knownErrorTitle(id, language), id).toBe(catalog.console.known.title[id])
    }
    expect(knownErrorTitle('of-a-later-release', language)).toBeUndefined()
    const content = MailContent.parse({ kind: 'server.crashed', params: SAMPLES['server.crashed'] })
    const { html, text } = await renderMail(content, { language, facts })
    expect(text).toContain(catalog.console.known.title['out-of-memory'])
    for (const form of [html, text]) expect(form).toContain('java.lang.OutOfMemoryError: Java heap space')
    const staffError = { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' }
    const params = { ...SAMPLES['server.crashed'], error: undefined, staffError }
    const ofStaff = await renderMail(MailContent.parse({ kind: 'server.crashed', params }), { language, facts })
    expect(ofStaff.text).toContain(staffError[language])
  },
)

it.each([
  ['en', '10 minutes'],
  ['hu', '10 percen belül'],
  ['de', 'innerhalb von 10 Minuten'],
] as const)('says in %s how long it is worth something', async (language, span) => {
  const content = { kind: 'verify', params: SAMPLES.verify } as const
  expect((await renderMail(content, { language, facts })).text).toContain(span)
})

it.each([
  ['en', '7 days'],
  ['hu', '7 napig'],
  ['de', '7 Tage lang'],
] as const)('says in %s how long a change can be taken back', async (language, span) => {
  const content = { kind: 'email-change-notice', params: SAMPLES['email-change-notice'] } as const
  expect((await renderMail(content, { language, facts })).text).toContain(span)
})

it.each([
  ['en', 'renew', 'buy it from its settings'],
  ['hu', 'megújít', 'a beállításainál megveszed'],
  ['de', 'verlänger', 'in seinen Einstellungen kaufst'],
] as const)('says in %s of a test server that it is bought, and of no renewal', async (language, renewal, purchase) => {
  const params = { ...SAMPLES['server.expired'], server: 'Watchman' }
  const said = async (change: object) =>
    (
      await renderMail(MailContent.parse({ kind: 'server.expired', params: { ...params, ...change } }), {
        language,
        facts,
      })
    ).text
  expect((await said({})).toLowerCase()).toContain(renewal)
  expect((await said({ isTest: true })).toLowerCase()).not.toContain(renewal)
  expect((await said({ isTest: true })).replaceAll(/\s+/gu, ' ')).toContain(purchase)
})

const subjectOf = async (kind: MailKind, language: 'en' | 'hu' | 'de', change: object) => {
  const content = MailContent.parse({ kind, params: { ...SAMPLES[kind], ...change } })
  return (await renderMail(content, { language, facts })).subject
}

it.each([
  ['en', 'Order complete: Minecraft', 'Watchman is renewed', 'Watchman is resized'],
  ['hu', 'Sikeres vásárlás: Minecraft', 'Megújítva: Watchman', 'Átméretezve: Watchman'],
  ['de', 'Bestellung erfolgreich: Minecraft', 'Watchman ist verlängert', 'Watchman hat eine neue Größe'],
] as const)('orders, renewals and resizes have mails of their own in %s', async (language, ...subjects) => {
  const named = { server: 'Watchman', product: 'Minecraft' }
  const written = [{}, { purchase: 'renewal' }, { purchase: 'resize' }].map((change) =>
    subjectOf('purchase.success', language, { ...named, ...change }),
  )
  expect(await Promise.all(written)).toEqual(subjects)
})

it.each([
  ['en', /invoice/, /receipt/],
  ['hu', /száml[aá]/, /nyugt[aá]/],
  ['de', /rechnung/, /quittung/],
] as const)('a mail about a receipt never says invoice in %s', async (language, invoice, receipt) => {
  for (const kind of ['invoice', 'storno', 'correction'] as const) {
    const content = MailContent.parse({ kind, params: { ...SAMPLES[kind], isReceipt: true } })
    const { subject, text } = await renderMail(content, { language, facts })
    const words = `${subject} ${text}`.replaceAll(/https?:\S+/g, '').toLowerCase()
    expect(words).toMatch(receipt)
    expect(words).not.toMatch(invoice)
    expect((await subjectOf(kind, language, {})).toLowerCase()).toMatch(invoice)
  }
})

it('writes money and moments as the language does', async () => {
  const content = { kind: 'invoice', params: SAMPLES.invoice } as const
  expect((await renderMail(content, { language: 'hu', facts })).text).toContain('1\u00A0990\u00A0Ft')
  expect((await renderMail(content, { language: 'hu', facts })).text).toContain('2026. november\u00A021. 12:30')
})

it.each([
  ['en', 'above removes it'],
  ['hu', 'eltávolítja'],
  ['de', 'entfernt'],
] as const)('says in %s when the link also takes a new second factor away, and only then', async (language, words) => {
  const textOf = async (kind: 'security-change' | 'new-device' | 'session-copied', takesFactorsAway: boolean) => {
    // The meaning of the path is the page's matter.
    const path = takesFactorsAway ? '/auth/passwordreset' : '/auth/passwordreset?token=t0ken'
    const content = MailContent.parse({ kind, params: { ...SAMPLES[kind], path, takesFactorsAway } })
    return (await renderMail(content, { language, facts })).text.replaceAll(/\s+/g, ' ')
  }
  for (const kind of ['security-change', 'new-device', 'session-copied'] as const) {
    expect(await textOf(kind, true)).toContain(words)
    expect(await textOf(kind, false)).not.toContain(words)
  }
})

it('takes no factor away by a mail that was asked for before it could say so', () => {
  const { takesFactorsAway: _, ...params } = SAMPLES['security-change']
  expect(MailContent.parse({ kind: 'security-change', params })).toMatchObject({ params: { takesFactorsAway: false } })
})

it.each([
  ['en', 'The ticket has 1 earlier reply that', 'The ticket has 13 earlier replies that'],
  ['hu', 'A hibajegyben 1 korábbi olvasatlan válasz', 'A hibajegyben 13 korábbi olvasatlan válasz'],
  ['de', 'Im Ticket steht 1 frühere ungelesene Antwort.', 'Im Ticket stehen 13 frühere ungelesene Antworten.'],
] as const)(
  'a backlog of replies is counted in %s, and not mentioned where there is none',
  async (language, one, many) => {
    const said = async (change: object) => {
      const content = MailContent.parse({ kind: 'ticket.reply', params: { ...SAMPLES['ticket.reply'], ...change } })
      return (await renderMail(content, { language, facts })).text.replaceAll(/\s+/gu, ' ')
    }
    expect(await said({ earlier: 1 })).toContain(one)
    expect(await said({ earlier: 13 })).toContain(many)
    expect(await said({})).not.toMatch(/earlier|korábbi|frühere/)
  },
)

it.each([
  ['en', 'Files in the ticket:', '1.5 MB'],
  ['hu', 'Fájlok a hibajegyben:', '1,5 MB'],
  ['de', 'Dateien im Ticket:', '1,5 MB'],
] as const)('a reply in %s names its files and their sizes, as text, in both forms', async (language, label, size) => {
  const { html, text } = await renderMail(
    { kind: 'ticket.reply', params: SAMPLES['ticket.reply'] },
    { language, facts },
  )
  const plain = text.replaceAll('\u00A0', ' ')
  expect(plain).toContain(`${label} ${NAME} (1 kB), world.zip (${size})`)
  expect(html.replaceAll(/\u00A0|&nbsp;/g, ' ')).toContain(
    `${label} &lt;img src=x onerror=alert(1)&gt; (1 kB), world.zip (${size})`,
  )
})

it.each([
  ['en', /rate it with one click/, 'reopen the ticket'],
  ['hu', /egyetlen kattintással értékelheted/, 'újranyithatod'],
  ['de', /mit einem Klick bewerten/, 'wieder'],
] as const)(
  'says in %s how a closed ticket is rated and reopened, to its opener alone',
  async (language, rate, reopen) => {
    const said = async (change: object) => {
      const params = { ...SAMPLES['ticket.closed'], title: 'Lag', ...change }
      const { text } = await renderMail(MailContent.parse({ kind: 'ticket.closed', params }), { language, facts })
      return text.replaceAll(/\s+/gu, ' ')
    }
    expect(await said({})).toMatch(rate)
    expect(await said({})).toContain(reopen)
    // Rated before: it can be reopened all the same.
    expect(await said({ rates: undefined })).not.toMatch(rate)
    expect(await said({ rates: undefined })).toContain(reopen)
    const added = await said({ rates: undefined, reopens: undefined })
    expect(added).not.toMatch(rate)
    expect(added).not.toContain(reopen)
  },
)

it.each([
  ['en', /rate it with one click/],
  ['hu', /egyetlen kattintással értékelheted/],
  ['de', /mit einem Klick bewerten/],
] as const)('the reply to a closed ticket says in %s how its opener rates it', async (language, rate) => {
  const said = async (change: object) => {
    const params = { ...SAMPLES['ticket.reply'], isClosed: true, ...change }
    const { text } = await renderMail(MailContent.parse({ kind: 'ticket.reply', params }), { language, facts })
    return text.replaceAll(/\s+/gu, ' ')
  }
  expect(await said({ rates: true })).toMatch(rate)
  expect(await said({})).not.toMatch(rate)
})

it.each([
  ['en', 'New ticket: Lag', '7 new tickets'],
  ['hu', 'Új hibajegy: Lag', '7 új hibajegy érkezett'],
  ['de', 'Neues Ticket: Lag', '7 neue Tickets'],
] as const)('names one new ticket in %s, and counts several without a title', async (language, one, several) => {
  const params = { ...SAMPLES['ticket.opened'], title: 'Lag' }
  expect(await subjectOf('ticket.opened', language, params)).toBe(one)
  expect(await subjectOf('ticket.opened', language, { ...params, count: 7 })).toBe(several)
  const content = MailContent.parse({ kind: 'ticket.opened', params: { ...params, count: 7 } })
  expect((await renderMail(content, { language, facts })).text).not.toContain('Lag')
})
