import { randomUUID } from 'node:crypto'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Email } from 'postal-mime'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'

import { TicketMessage, TicketView } from '../../src/contracts/http/ticket.ts'
import { CANARY_HOST, HOSTILE_MESSAGE, IMAGE, isInert, POLYGLOT, RUN, watched } from '../support/hostile-texts.ts'
import { arrive } from '../support/journey.ts'
import { codeFrom, MAIL_DOMAIN, mailTo } from '../support/mail-demo.ts'
import type { MailServers } from '../support/mail-servers.ts'
import { openedTicket } from '../support/open-ticket.ts'
import { pageOf } from '../support/other-page.ts'
import { expect, test } from './mail-test.ts'

// Mails whose every part holds scripts come in through a real mailbox, and are read by customer and support; what goes out to them is read as a browser shows a mail.

/** They stand in the subject and in the name of each sender, which no page of a ticket shows. */
const [SUBJECT_MARK, NAME_MARK] = ['subject-of-the-mail', 'name-of-the-sender']
const SUBJECT = `${SUBJECT_MARK} ${POLYGLOT} ${IMAGE}`
const QUOTED = `On Mon, 30 Nov 2026 at 10:00, ${IMAGE} wrote:\n> ${IMAGE}\n> <script>${RUN}</script>`
const MARKUP = `<!doctype html><html><head><title>${IMAGE}</title><script>${RUN}</script>
  <style>@import url(https://${CANARY_HOST}/import.css); body { background: url(https://${CANARY_HOST}/ground.png) }</style>
  <meta http-equiv="refresh" content="0;url=https://${CANARY_HOST}"><base href="https://${CANARY_HOST}/"></head>
  <body onload="${RUN}" onpageshow="${RUN}"><p onclick="${RUN}">Written in HTML alone</p>
  ${IMAGE}<svg onload="${RUN}"><script>${RUN}</script></svg><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>
  <img src="https://${CANARY_HOST}/seen.png" width="1" height="1"><video autoplay src="https://${CANARY_HOST}/film.mp4"></video>
  <a href="javascript:${RUN}">press here</a><form action="https://${CANARY_HOST}"><button>send</button></form>
  <p>&lt;img src=x onerror=${RUN}&gt; typed as text</p></body></html>`

const send = async (servers: MailServers, from: string, mail: SendMailOptions): Promise<void> => {
  const program = createTransport({ host: '127.0.0.1', port: servers.smtpPort, ignoreTLS: true })
  await program.sendMail({
    from: { name: `${NAME_MARK} ${IMAGE} ${POLYGLOT}`, address: from },
    subject: SUBJECT,
    ...mail,
  })
  program.close()
}

const say = async (page: Page, ticketId: string, message: string): Promise<void> => {
  const { origin } = new URL((await page.request.get('/en')).url())
  const answer = await page.request.post(`/api/ticket/${ticketId}/messages`, {
    headers: { origin, 'idempotency-key': randomUUID() },
    data: { message },
  })
  TicketMessage.parse(await answer.json())
}

/** A mail as a program that runs everything would show it: there is no policy of the site, and no filter. */
const readsMail = async (browser: Browser, { html = '' }: Email, place: string): Promise<string> => {
  const page = await (await browser.newContext()).newPage()
  const seen = await watched(page)
  await page.goto('about:blank')
  await page.setContent(html, { waitUntil: 'load' })
  await isInert(page, place)
  // Nothing is loaded from anywhere, so that nobody learns that the mail was opened.
  expect(await page.locator('img, iframe, link, script, form, object, embed, video').count(), place).toBe(0)
  const text = await page.locator('body').innerText()
  expect(seen).toEqual([])
  await page.context().close()
  return text
}

/** A picture with a script behind it, a page, a drawing and an archive, whose names are markup too. */
const hostileFiles = async () => {
  const drawn = sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 20, g: 90, b: 200 } } })
  const tail = Buffer.from(`<script>${RUN}</script>${IMAGE}`)
  return [
    {
      filename: `${IMAGE}.jpg`,
      contentType: 'image/jpeg',
      content: Buffer.concat([await drawn.jpeg().toBuffer(), tail]),
    },
    {
      filename: `"onmouseover=${RUN} .html`,
      contentType: 'text/html',
      content: `<!doctype html><script>${RUN};fetch('https://${CANARY_HOST}/page')</script>`,
    },
    {
      filename: 'drawing.svg',
      contentType: 'image/svg+xml',
      content: `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`,
    },
    {
      filename: '<script>.zip',
      contentType: 'application/zip',
      content: Buffer.concat([Buffer.from('PK\u0003\u0004'), tail]),
    },
  ]
}

/** Three mails of the customer: text alone, HTML alone, and both with files. */
const mailsIn = async (servers: MailServers, address: string, mail: Email): Promise<void> => {
  const ways = {
    to: mail.replyTo?.[0]?.address ?? '',
    inReplyTo: mail.messageId ?? '',
    references: mail.messageId ?? '',
  }
  await send(servers, address, { ...ways, text: `Written as text alone\n\n${HOSTILE_MESSAGE}\n\n${QUOTED}` })
  await send(servers, address, { ...ways, html: MARKUP })
  await send(servers, address, {
    ...ways,
    text: `Written as both, with files\n\n${IMAGE}`,
    html: MARKUP,
    attachments: await hostileFiles(),
  })
}

type Reading = {
  readonly page: Page
  readonly line: (text: string) => ReturnType<Page['locator']>
  readonly place: string
}

/** The three messages, as text, with the files of the last one; nothing of subjects and senders. */
const readsAll = async ({ page, line, place }: Reading, files: readonly string[]): Promise<void> => {
  const [asText, asHtml, asBoth] = ['Written as text alone', 'Written in HTML alone', 'Written as both, with files']
  for (const text of [asText, asHtml, asBoth]) await expect(line(text)).toHaveCount(1)
  for (const text of [IMAGE, POLYGLOT, '<iframe src=', '<style>@import', '<a href="javascript:'])
    await expect(line(asText)).toContainText(text)
  await line(asText).locator('details summary').click()
  await expect(line(asText).locator('details')).toContainText(`> <script>${RUN}</script>`)
  // The markup of the mail is gone; words that were typed in it are text.
  await expect(line(asHtml)).toContainText(`${IMAGE} typed as text`)
  await expect(line(asHtml)).not.toContainText('@import')
  await expect(line(asHtml).locator('a[href*="canary"]')).toHaveCount(0)
  for (const file of files) await expect(line(asBoth)).toContainText(file)
  await expect(page.locator('body')).not.toContainText(SUBJECT_MARK)
  await expect(page.locator('body')).not.toContainText(NAME_MARK)
  for (const link of await line(asText).getByRole('link').all()) await link.hover()
  await isInert(page, place)
}

/** Files are saved, and none of them has a script that a page would run. */
const savesFiles = async (page: Page, view: TicketView): Promise<void> => {
  const files = view.messages.flatMap(({ attachments }) => attachments)
  expect(files.map(({ kind }) => kind).toSorted()).toEqual(['archive', 'picture', 'text', 'text'])
  for (const { id, name, kind } of files) {
    expect(name).not.toMatch(/[<>"]|\.(html|svg|js)$/)
    const answer = await page.request.get(`/api/ticket/${view.ticket.id}/attachments/${id}`)
    expect(answer.headers()).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    if (kind === 'picture') expect((await answer.body()).includes(RUN), name).toBe(false)
  }
}

test('mails with scripts in subject, sender, text, HTML and file names are text for customer and support, and so is what goes out', async ({
  page: customer,
  browser,
  demo,
  db,
  mailServers: servers,
}) => {
  test.setTimeout(360_000)
  const theirs = await watched(customer)
  await customer.goto('/en')
  const { username } = await arrive(customer, codeFrom(servers))
  const address = `${username}@example.com`
  const { ticket } = await openedTicket(customer, { title: `${IMAGE} by mail`, message: HOSTILE_MESSAGE })
  const support = await pageOf(browser, demo.url, demo.support)
  const seen = await watched(support)

  const { mail } = await test.step('support replies with the same texts, and the mail about it is text', async () => {
    await say(support, ticket.id, HOSTILE_MESSAGE)
    await db.query('update control.ticket_mails set due_at = now() where ticket_id = $1', [ticket.id])
    const sent = await mailTo(servers, address, /by mail/)
    const read = await readsMail(browser, sent.mail, 'the mail about a reply')
    for (const text of [ticket.title, POLYGLOT, '<iframe src=', `a picture (${CANARY_HOST})`])
      expect(read).toContain(text)
    return sent
  })

  await customer.goto(`/en/dashboard/ticket/${ticket.id}`)
  await expect(customer.getByRole('heading', { level: 1 })).toHaveText(ticket.title)
  await support.goto(`/admin/ticket/${ticket.id}`)
  await expect(support.getByRole('heading', { level: 1 })).toHaveText(ticket.title)
  await mailsIn(servers, address, mail)

  const customerLine = (text: string) => customer.locator('.tk-line').filter({ hasText: text })
  const staffLine = (text: string) => support.getByRole('article').filter({ hasText: text })
  for (const line of [customerLine, staffLine])
    await expect(line('Written as both, with files')).toHaveCount(1, { timeout: 60_000 })
  const view = TicketView.parse(await (await support.request.get(`/api/ticket/${ticket.id}`)).json())
  const files = view.messages.flatMap(({ attachments }) => attachments.map(({ name }) => name))
  await test.step('the customer reads them as they arrive', () =>
    readsAll({ page: customer, line: customerLine, place: "the customer's page" }, files))
  await test.step('support reads them as they arrive', () =>
    readsAll({ page: support, line: staffLine, place: "support's page" }, files))
  await test.step('both read them after a reload, and in their lists', async () => {
    for (const [page, path, row] of [
      [customer, '/en/dashboard/tickets', '.tk-row'],
      [support, '/admin/tickets', '.bakter-queue-row'],
    ] as const) {
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(ticket.title)
      await isInert(page, `${page.url()} after a reload`)
      await page.goto(path)
      await expect(page.locator(row).filter({ hasText: ticket.title }).first()).toBeVisible()
      await isInert(page, path)
    }
  })
  await test.step('files are saved', () => savesFiles(support, view))

  await test.step('a stranger gets one answer, which repeats nothing', async () => {
    const stranger = `stranger-${randomUUID().slice(0, 8)}@example.com`
    await send(servers, stranger, { to: `tickets@${MAIL_DOMAIN}`, text: HOSTILE_MESSAGE, html: MARKUP })
    const { mail: answer } = await mailTo(servers, stranger, /could not add your e-mail/)
    const read = await readsMail(browser, answer, 'the answer to a stranger')
    for (const text of [SUBJECT_MARK, NAME_MARK, RUN])
      expect(`${read} ${answer.text} ${answer.subject}`).not.toContain(text)
  })
  const [count] = await db.query(
    `select count(*)::integer as taken, count(distinct digest)::integer as different from control.received_mails
     where ticket_id = $1 and outcome = 'message'`,
    [ticket.id],
  )
  expect(count).toEqual({ taken: 3, different: 3 })
  expect(await servers.waiting()).toBe(0)
  expect([theirs, seen]).toEqual([[], []])
  await support.context().close()
})
