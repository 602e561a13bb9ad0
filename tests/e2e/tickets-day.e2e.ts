import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'

import { TicketMessage } from '../../src/contracts/http/ticket.ts'
import type { Database } from '../../src/platform/postgres/database.ts'
import { violations } from '../support/axe.ts'
import { catalogWords, type CatalogLanguage, type CatalogWords } from '../support/catalog-words.ts'
import { keyboard, mouse, type Hands } from '../support/hands.ts'
import { arrive, rentFor, signInByApi, statusOfServer } from '../support/journey.ts'
import { answerMail, codeFrom, MAIL_DOMAIN, mailsTo, mailTo } from '../support/mail-demo.ts'
import type { MailServers } from '../support/mail-servers.ts'
import { expect, test } from './mail-test.ts'

// A day of one ticket, with its customer and support in a browser each, on real mail servers.

const staffWords = {
  en: {
    takeOne: 'Take ticket #',
    taken: 'You took ticket #',
    reply: 'Reply to the customer',
    send: 'Send the reply',
    serverDetails: 'Server details from the customer',
    move: 'Move…',
    moveTitle: 'Move this ticket',
    moveAct: 'Move',
    category: 'Category',
    billing: 'Payments and invoices',
    assign: 'Assign…',
    assignTitle: 'Assign this ticket',
    assignAct: 'Assign',
    assignee: 'Assignee',
    states: { open: 'Open', waiting: 'Waiting for reply', closed: 'Closed' },
    closed: 'This ticket is closed. Reopen it to reply.',
    quoted: 'Quoted text and signature',
  },
  hu: {
    takeOne: 'Átveszem ezt: #',
    taken: 'Átvetted ezt a hibajegyet: #',
    reply: 'Válasz az ügyfélnek',
    send: 'Válasz elküldése',
    serverDetails: 'Az ügyfél szerverének adatai',
    move: 'Áthelyezés…',
    moveTitle: 'Hibajegy áthelyezése',
    moveAct: 'Áthelyezés',
    category: 'Kategória',
    billing: 'Fizetés és számlák',
    assign: 'Hozzárendelés…',
    assignTitle: 'Hibajegy hozzárendelése',
    assignAct: 'Hozzárendelés',
    assignee: 'Felelős',
    states: { open: 'Nyitott', waiting: 'Válaszra vár', closed: 'Lezárva' },
    closed: 'Ez a hibajegy le van zárva. A válaszhoz nyisd újra.',
    quoted: 'Idézett szöveg és aláírás',
  },
} as const

const said = {
  en: {
    title: 'It stops every night',
    question: 'It stops at three every night. See the picture.',
    first: 'We are looking at it.',
    colleague: 'Paid until May. Which plan did you order?',
    answer: 'The big one, in April.',
    last: 'One more thing: thank you!',
  },
  hu: {
    title: 'Minden este leáll',
    question: 'Minden este háromkor leáll. Nézd meg a képet.',
    first: 'Megnézzük.',
    colleague: 'Májusig ki van fizetve. Melyik csomagot rendelted?',
    answer: 'A nagyot, áprilisban.',
    last: 'Még valami: köszönöm!',
  },
} as const

interface Day {
  readonly language: CatalogLanguage & keyof typeof said
  readonly hands: Hands
  readonly say: CatalogWords
  readonly customer: Page
  readonly support: Page
  readonly address: string
  readonly servers: MailServers
  readonly db: Database
  /** A colleague of support, who works elsewhere. */
  readonly colleague: { readonly page: Page; readonly username: string }
}

const picture = async () => {
  const drawn = sharp({ create: { width: 640, height: 360, channels: 3, background: { r: 20, g: 90, b: 200 } } })
  return { name: 'night.png', mimeType: 'image/png', buffer: await drawn.png().toBuffer() }
}
const isDrawn = (page: Page) =>
  expect
    .poll(() => page.getByRole('img', { name: 'night.png' }).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
const customerState = (page: Page) => page.locator('.tk-facts .lamp')
const customerLine = (page: Page, text: string) => page.locator('.tk-line').filter({ hasText: text })
const staffLine = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const staffState = ({ support, language }: Day, state: keyof (typeof staffWords)['en']['states']) =>
  expect(support.locator('.bakter-facts dd').first()).toHaveText(staffWords[language].states[state])
const areSound = async ({ customer, support }: Day): Promise<void> => {
  expect(await violations(customer)).toEqual([])
  expect(await violations(support, '.bakter-tickets')).toEqual([])
}
const category = { en: /^Game server$/, hu: /^Játékszerver$/ } as const

/** Opens a ticket about the server, with a picture; returns its id. */
const opens = async ({ hands, say, customer, language }: Day): Promise<string> => {
  const words = said[language]
  await hands.press(customer, 'link', say('tickets.new'))
  await hands.choose(customer, say('tickets.category'), category[language])
  await hands.choose(customer, say('tickets.about.server'), /^Night watch/)
  const card = customer.getByRole('region', { name: say('tickets.about.title') })
  await expect(card).toContainText('Night watch')
  await hands.write(customer, say('tickets.titleField'), words.title)
  await hands.write(customer, say('tickets.message'), words.question)
  await hands.attach(customer, say('tickets.files.attach'), await picture())
  await expect(customer.locator('.att-row')).toHaveAttribute('data-state', 'done')
  expect(await violations(customer)).toEqual([])
  const opened = /\/dashboard\/ticket\/[0-9a-f-]{36}$/
  // A server that changes meanwhile is shown anew, and sent with the next press.
  await expect(async () => {
    if (!opened.test(customer.url())) await hands.press(customer, 'button', say('tickets.open'))
    await customer.waitForURL(opened, { timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
  await expect(customer.getByRole('heading', { level: 1 })).toHaveText(words.title)
  await isDrawn(customer)
  return customer.url().split('/').at(-1) ?? ''
}

/** The ticket appears in the open queue; support takes it and reads everything that came along. */
const takes = async (day: Day, identifier: string): Promise<void> => {
  const { hands, support, language } = day
  const words = staffWords[language]
  const row = support.locator('.bakter-queue-row').filter({ hasText: `#${identifier}` })
  const link = row.getByRole('link')
  await expect(link).toHaveText(said[language].title)
  expect(await violations(support, '.bakter-tickets')).toEqual([])
  if (hands === mouse) await row.getByRole('button', { name: words.takeOne + identifier }).click()
  else {
    // The list has taken the focus, and its keys lead from row to row.
    await expect(async () => {
      const isPast = await link.evaluate((element) => {
        const from = document.activeElement ?? document.body
        const isInList = from !== document.body && !from.contains(element)
        return isInList && (from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
      })
      if (!(await link.evaluate((element) => element === document.activeElement)))
        await support.keyboard.press(isPast ? 'k' : 'j')
      await expect(link).toBeFocused({ timeout: 1_000 })
    }).toPass()
    await support.keyboard.press('a')
  }
  await expect(support.getByRole('status').filter({ hasText: words.taken + identifier })).toBeVisible()
  if (hands === mouse) await link.click()
  else await support.keyboard.press('Enter')
  await support.waitForURL(/\/admin\/ticket\//)
  await isDrawn(support)
  await hands.unfold(support, words.serverDetails)
  await expect(support.locator('.bakter-sent-server')).toContainText('Night watch')
}

const answersLive = async (day: Day): Promise<void> => {
  const { hands, say, customer, support, language } = day
  await hands.write(support, staffWords[language].reply, said[language].first)
  await hands.send(support, staffWords[language].send)
  await expect(staffLine(support, said[language].first)).toHaveCount(1)
  await expect(customerLine(customer, said[language].first)).toContainText(say('tickets.staff'))
  await expect(customerState(customer)).toHaveText(say('tickets.status.waiting'))
  await staffState(day, 'waiting')
  await areSound(day)
}

/** The ticket goes to another category and to a colleague; the customer reads both. */
const transfers = async (day: Day): Promise<void> => {
  const { hands, say, customer, support, language, colleague } = day
  const words = staffWords[language]
  await hands.press(support, 'button', words.move)
  const move = support.getByRole('dialog', { name: words.moveTitle })
  await hands.choose(move, words.category, new RegExp(`^${words.billing}$`))
  await hands.press(move, 'button', words.moveAct)
  await expect(move).toHaveCount(0)
  await hands.press(support, 'button', words.assign)
  const assign = support.getByRole('dialog', { name: words.assignTitle })
  await hands.choose(assign, words.assignee, new RegExp(`^${colleague.username}$`))
  expect(await violations(support, '.bakter-tickets')).toEqual([])
  await hands.press(assign, 'button', words.assignAct)
  await expect(assign).toHaveCount(0)
  const facts = support.locator('.bakter-facts').first()
  await expect(facts).toContainText(colleague.username)
  await expect(facts).toContainText(words.billing)
  const about = { who: 'support', about: words.billing }
  await expect(customer.getByText(say('tickets.events.moved', about))).toBeVisible()
  await expect(customer.getByText(say('tickets.events.assigned', { about: colleague.username }))).toBeVisible()
  await areSound(day)
}

/** The customer is elsewhere when the colleague replies, gets it by mail, and answers that mail. */
const answersByMail = async (day: Day, ticketId: string): Promise<void> => {
  const { hands, say, customer, support, language, colleague, servers, address, db } = day
  const { title, colleague: asked, answer } = said[language]
  await hands.press(customer, 'link', say('tickets.title'))
  await customer.waitForURL('**/dashboard/tickets')
  const sent = await colleague.page.request.post(`/api/ticket/${ticketId}/messages`, {
    headers: { origin: new URL(colleague.page.url()).origin, 'idempotency-key': randomUUID() },
    data: { message: asked },
  })
  TicketMessage.parse(await sent.json())
  await expect(staffLine(support, asked)).toContainText(colleague.username)
  const row = customer.locator('.tk-row').filter({ hasText: title })
  await expect(row).toContainText(say('tickets.unread'))
  expect(await violations(customer)).toEqual([])
  // Nobody has to wait for three minutes.
  await db.query('update control.ticket_mails set due_at = now() where ticket_id = $1 and due_at is not null', [
    ticketId,
  ])
  const { mail, signature } = await mailTo(servers, address, new RegExp(title))
  expect(mail.text).toContain(asked)
  expect(signature).toMatchObject({ domain: MAIL_DOMAIN, selector: 's1', isRight: true })

  // The ticket is open again in both browsers when the answer comes.
  await hands.press(customer, 'link', new RegExp(title))
  await expect(customerLine(customer, asked)).toHaveCount(1)
  await answerMail(servers, { mail, from: address, text: answer })
  for (const [page, line, words] of [
    [customer, customerLine(customer, answer), say('tickets.quoted')],
    [support, staffLine(support, answer), staffWords[language].quoted],
  ] as const) {
    await expect(line).toHaveCount(1)
    const quotation = line.locator('details')
    await expect(quotation).not.toHaveAttribute('open')
    await expect(quotation.getByText(asked)).toBeHidden()
    await hands.unfold(page, words)
    await expect(quotation.getByText(asked)).toBeVisible()
  }
  await areSound(day)
}

const closesAndReopens = async (day: Day): Promise<void> => {
  const { hands, say, customer, support, language } = day
  const dialog = customer.getByRole('dialog')
  await hands.press(customer, 'button', say('tickets.close.act'))
  await expect(dialog).toContainText(say('tickets.close.text'))
  expect(await violations(customer)).toEqual([])
  await hands.press(dialog, 'button', say('tickets.close.act'))
  await expect(customerState(customer)).toHaveText(say('tickets.status.closed'))
  await staffState(day, 'closed')
  await expect(support.getByText(staffWords[language].closed)).toBeVisible()
  await areSound(day)
  await hands.press(customer, 'button', say('tickets.reopen.act'))
  await hands.press(dialog, 'button', say('tickets.reopen.act'))
  await expect(customerState(customer)).toHaveText(say('tickets.status.open'))
  await staffState(day, 'open')
  await hands.write(customer, say('tickets.reply'), said[language].last)
  await hands.send(customer, say('tickets.send'))
  await expect(customerLine(customer, said[language].last)).toHaveCount(1)
  await expect(staffLine(support, said[language].last)).toHaveCount(1)
  await areSound(day)
}

/** Every line once and in order, one mail each way, and one ring of the bell for each reply. */
const isKept = async ({ language, db, address, servers }: Day, ticketId: string): Promise<void> => {
  const lines = await db.query<{ said: string; by_staff: boolean }>(
    `select case when kind = 'message' then text else event end as said, by_staff from control.ticket_messages
     where ticket_id = $1 order by seq`,
    [ticketId],
  )
  const words = said[language]
  expect(lines.map((line) => [line.by_staff ? 'staff' : 'customer', line.said])).toEqual([
    ['customer', words.question],
    ['staff', 'assigned'],
    ['staff', words.first],
    ['staff', 'moved'],
    ['staff', 'assigned'],
    ['staff', words.colleague],
    ['customer', words.answer],
    ['customer', 'closed'],
    ['customer', 'reopened'],
    ['customer', words.last],
  ])
  const [count] = await db.query(
    `select (select count(*)::integer from control.received_mails where ticket_id = $1) as received,
       (select count(*)::integer from control.mails where recipient = $2 and kind = 'ticket.reply') as mails,
       (select count(*)::integer from control.notifications where text = 'ticket.reply'
          and user_id = (select opener_id from control.tickets where id = $1)) as rings`,
    [ticketId, address],
  )
  expect(count).toEqual({ received: 1, mails: 1, rings: 2 })
  const mails = (await mailsTo(servers, address)).filter(({ mail }) => mail.subject?.includes(words.title))
  expect(mails).toHaveLength(1)
  expect(await servers.waiting()).toBe(0)
}

const browserOf = async (browser: Browser, { url, language }: { url: string; language: string }): Promise<Page> => {
  const page = await (await browser.newContext({ baseURL: url, locale: language })).newPage()
  await page.goto(`/${language}`)
  return page
}
/** Nobody reloads a page the whole day: what was noted in it stays. */
const note = (page: Page) => page.evaluate(() => void Object.assign(window, { isThere: true }))
const isNoted = (page: Page) => page.evaluate(() => 'isThere' in window)

for (const [language, hands, how] of [
  ['en', mouse, 'with the mouse'],
  ['hu', keyboard, 'by keyboard alone'],
] as const)
  test.describe(how, () => {
    test.use({ locale: language })
    test(`a day of a ticket ${how}: opened with a server and a picture, answered live, transferred, answered by mail, closed and reopened`, async ({
      page: customer,
      browser,
      demo,
      db,
      mailServers: servers,
    }) => {
      test.setTimeout(360_000)
      await customer.goto(`/${language}`)
      const { username } = await arrive(customer, codeFrom(servers))
      const serverId = await rentFor(customer, 'Night watch')
      await expect.poll(() => statusOfServer(customer, serverId), { timeout: 120_000 }).toBe('running')
      const support = await browserOf(browser, { url: demo.url, language })
      await signInByApi(support, demo.support)
      const elsewhere = await browserOf(browser, { url: demo.url, language })
      await signInByApi(elsewhere, demo.admin)
      const day: Day = {
        language,
        hands,
        say: catalogWords(language),
        customer,
        support,
        address: `${username}@example.com`,
        servers,
        db,
        colleague: { page: elsewhere, username: demo.admin.username },
      }
      await support.goto('/admin/tickets')
      await customer.goto(`/${language}/dashboard/tickets`)
      await Promise.all([customer, support].map(note))

      const id = await test.step('the customer opens it', () => opens(day))
      const [row] = await db.query<{ identifier: string }>('select identifier from control.tickets where id = $1', [id])
      await test.step('support takes it from the queue', () => takes(day, row?.identifier ?? ''))
      await test.step('support answers, and the customer reads it at once', () => answersLive(day))
      await test.step('support transfers it', () => transfers(day))
      await test.step('the customer answers the mail about a reply', () => answersByMail(day, id))
      await test.step('the customer closes and reopens it', () => closesAndReopens(day))
      await test.step('everything is stored once', () => isKept(day, id))
      expect(await Promise.all([customer, support].map(isNoted))).toEqual([true, true])
      for (const each of [support, elsewhere]) await each.context().close()
    })
  })
