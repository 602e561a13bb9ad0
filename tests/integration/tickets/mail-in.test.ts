import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addressHash, suppressAddress } from '../../../control-plane/messages/mail/suppression.ts'
import { mailReplies } from '../../../control-plane/tickets/mail/reply-mails.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { closeOrReopen } from '../../../control-plane/tickets/change-ticket.ts'
import { bounceReport, letter, letterWithFiles, placed } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'

const PNG = promisedPng(4, 4)

let mails: MailDesk
let customer: { caller: TicketCaller; address: string }
let ticketId: string
let to: string
beforeAll(async () => {
  mails = await MailDesk.open()
})
beforeEach(async () => {
  ;({ customer, ticketId, to } = await mails.mailedTicket())
})
afterAll(() => mails.close())

const texts = async () => (await mails.messages(ticketId)).map(({ text }) => text)
const write = (changes: Parameters<typeof letter>[0] = {}) => letter({ to, from: customer.address, ...changes })

it('a reply by mail is a message of its sender, with the quotation folded, and opens the ticket for staff', async () => {
  const staff = await mails.desk.worker()
  await mails.desk.say(staff, ticketId)
  const body = 'It works now, thank you!\n\nOn Fri, 20 Nov 2026 at 19:00, Host wrote:\n> Please restart it.\n'
  expect(await mails.take(write({ body }))).toMatchObject({ outcome: 'message', ticket_id: ticketId })
  expect((await mails.messages(ticketId)).at(-1)).toMatchObject({
    text: 'It works now, thank you!',
    quoted: 'On Fri, 20 Nov 2026 at 19:00, Host wrote:\n> Please restart it.',
    author_id: customer.caller.userId,
    by_staff: false,
  })
  const [ticket] = await mails.desk.database.db.query<{ status: string; waiting: boolean }>(
    'select status, waiting_since is not null as waiting from control.tickets where id = $1',
    [ticketId],
  )
  expect(ticket).toEqual({ status: 'open', waiting: true })
})

it('a mail at a place that was handled is not handled again, by twenty at the same time either', async () => {
  const mail = placed(write())
  const { takeMail } = await import('../../../control-plane/tickets/mail/take-mail.ts')
  await Promise.all(Array.from({ length: 20 }, () => takeMail(mails.deps(), mail)))
  expect(await texts()).toHaveLength(2)
})

it('the same mail at two places, and in a new mailbox, is one message', async () => {
  const source = write({ messageId: '<once@example.test>' })
  const outcomes = await Promise.all([mails.take(source), mails.take(source), mails.take(source, { uidValidity: 8n })])
  expect(outcomes.map((row) => row?.outcome).toSorted()).toEqual(['message', 'repeated', 'repeated'])
  expect(await texts()).toHaveLength(2)
})

it('a mail that comes again another way is known by its Message-ID, and one without by its bytes; another ticket and another person have their own', async () => {
  const outcome = async (changes: Parameters<typeof letter>[0]) => (await mails.take(write(changes)))?.outcome
  const way = { messageId: '<way@example.test>', body: 'Sent once' }
  expect(await outcome(way)).toBe('message')
  expect(await outcome({ ...way, headers: ['Received: from b.example.test by c.example.test'] })).toBe('repeated')
  expect(await outcome({ messageId: null, body: 'Without an id' })).toBe('message')
  expect(await outcome({ messageId: null, body: 'Without an id' })).toBe('repeated')
  expect(await outcome({ messageId: null, body: 'Another without an id' })).toBe('message')
  const other = await mails.desk.opened(customer.caller)
  expect(await outcome({ ...way, to: await mails.replyTo(customer.caller, other) })).toBe('message')
  const friend = await mails.customer()
  const { owner } = mails.desk.database
  await owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, friend.caller.userId])
  expect(await outcome({ ...way, from: friend.address, to: await mails.replyTo(friend.caller, ticketId) })).toBe(
    'message',
  )
  expect((await texts()).slice(1)).toEqual(['Sent once', 'Without an id', 'Another without an id', 'Sent once'])
})

it.each(['inbox.read', 'inbox.written', 'inbox.stored'])(
  'a process that dies at %s loses no mail and stores none twice',
  async (point) => {
    mails.waiting = [placed(write({ body: `Killed at ${point}` }))]
    mails.faults = async (name) => {
      if (name === point) throw new Error('killed')
    }
    await mails.reader()()
    // It leaves the mailbox only after it was stored.
    expect(mails.waiting).toHaveLength(1)
    mails.faults = async () => {}
    mails.fetched = []
    await mails.reader()()
    expect(mails.waiting).toEqual([])
    // One that was stored is not fetched again: it only leaves.
    expect(mails.fetched).toHaveLength(point === 'inbox.stored' ? 0 : 1)
    expect((await texts()).filter((text) => text === `Killed at ${point}`)).toHaveLength(1)
  },
)

it('a mail that cannot be handled stays, stops no other one, and comes through once it can', async () => {
  mails.rewritePicture = () => Promise.reject(new Error('the site is down'))
  const withPicture = letterWithFiles([{ type: 'image/png', name: 'a.png', bytes: PNG }], {
    to,
    from: customer.address,
  })
  mails.waiting = [placed(withPicture), placed(write({ body: 'The second' }))]
  const [{ uid: first } = { uid: 0 }, { uid: second } = { uid: 0 }] = mails.waiting
  mails.fetched = []
  const read = mails.reader()
  await read()
  expect([mails.waiting.length, (await texts()).at(-1)]).toEqual([1, 'The second'])
  // It is not fetched again before its time.
  await read()
  expect(mails.fetched).toEqual([first, second])
  mails.rewritePicture = (bytes) => Promise.resolve(bytes)
  mails.desk.nowMs += 6 * 60_000
  await read()
  expect([mails.waiting.length, (await texts()).at(-1)]).toEqual([0, 'See the files.'])
})

it('a closed ticket, a switched-off desk and a mail that is too large are each answered, and write nothing', async () => {
  await closeOrReopen(mails.desk.context(), { caller: customer.caller, ticketId, requestId: 'r', act: 'close' })
  expect(await mails.take(write())).toMatchObject({ outcome: 'closed', answered: true })
  expect(await mails.take(write({ body: 'Again' }))).toMatchObject({ outcome: 'closed', answered: true })
  await closeOrReopen(mails.desk.context(), { caller: customer.caller, ticketId, requestId: 'r', act: 'reopen' })
  await mails.desk.database.owner.query('update cms_api.settings set tickets = false')
  expect(await mails.take(write())).toMatchObject({ outcome: 'switched-off', answered: true })
  await mails.desk.database.owner.query('update cms_api.settings set tickets = true')
  expect(await mails.take(write(), { size: 26 * 1_024 * 1_024 })).toMatchObject({
    outcome: 'too-large',
    answered: true,
  })
  expect((await mails.mailsTo(customer.address)).map(({ kind }) => kind)).toEqual(Array(4).fill('mail-answer'))
  expect(await texts()).toEqual(['Please'])
})

it('a ticket that is closed for long says so, and leads its opener to a new one that links to it', async () => {
  const friend = await mails.customer()
  const { owner } = mails.desk.database
  await owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, friend.caller.userId])
  const friendsAddress = await mails.replyTo(friend.caller, ticketId)
  await closeOrReopen(mails.desk.context(), { caller: customer.caller, ticketId, requestId: 'r', act: 'close' })
  await owner.query(`update control.tickets set closed_at = closed_at - interval '30 days' where id = $1`, [ticketId])
  expect(await mails.take(write())).toMatchObject({ outcome: 'closed-long', answered: true })
  const foreign = letter({ to: friendsAddress, from: friend.address })
  expect(await mails.take(foreign)).toMatchObject({ outcome: 'closed-for-added', answered: true })
  const [own] = await mails.sentTo(customer.address)
  expect(own?.text).toContain(`https://host.example/dashboard/ticket?follows=${ticketId}`)
  expect(own?.text).toContain('can no longer be reopened')
  const [other] = await mails.sentTo(friend.address)
  expect(other?.text).toMatch(/https:\/\/host\.example\/dashboard\/ticket\s/)
  expect(other?.text).not.toMatch(/reopen/i)
})

it.each([
  ['somebody else’s address', 'eve@evil.example'],
  ['an address that only looks like it', 'ANNA@evil.example'],
])('a mail from %s to a signed address is no message', async (_what, from) => {
  expect(await mails.take(write({ from }))).toMatchObject({ outcome: 'unmatched' })
  expect(await texts()).toEqual(['Please'])
})

it('another customer, an unverified address, a suspended and an erased account write into no ticket with a right address', async () => {
  const { owner } = mails.desk.database
  const other = await mails.customer()
  expect(await mails.take(write({ from: other.address }))).toMatchObject({ outcome: 'unmatched', ticket_id: null })
  await owner.query('update cms_api.people set verified = false where id = $1', [customer.caller.userId])
  expect(await mails.take(write())).toMatchObject({ outcome: 'unmatched' })
  await owner.query('update cms_api.people set verified = true where id = $1', [customer.caller.userId])
  await owner.query('insert into cms_api.suspended_people values ($1)', [customer.caller.userId])
  expect(await mails.take(write({ body: 'Suspended' }))).toMatchObject({ outcome: 'unmatched' })
  await owner.query('delete from cms_api.suspended_people')
  await owner.query('insert into cms_api.erased_people values ($1)', [customer.caller.userId])
  expect(await mails.take(write({ body: 'Erased' }))).toMatchObject({ outcome: 'unmatched' })
  expect(await texts()).toEqual(['Please'])
})

it('somebody who was removed from a ticket writes there no more', async () => {
  const friend = await mails.customer()
  const { owner } = mails.desk.database
  await owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, friend.caller.userId])
  const address = await mails.replyTo(friend.caller, ticketId)
  expect(await mails.take(letter({ to: address, from: friend.address }))).toMatchObject({ outcome: 'message' })
  await owner.query('delete from control.ticket_people where user_id = $1', [friend.caller.userId])
  expect(await mails.take(letter({ to: address, from: friend.address, body: 'Removed' }))).toMatchObject({
    outcome: 'unmatched',
  })
  expect(await texts()).toHaveLength(2)
})

it('an unknown sender is answered once a day, and spam never', async () => {
  const from = 'stranger@example.test'
  const stranger = (body: string, headers: string[] = []) => letter({ from, body, headers })
  expect(await mails.take(stranger('One', ['X-Spam-Flag: YES']))).toMatchObject({ outcome: 'spam', answered: false })
  expect(await mails.take(stranger('Two', ['Auto-Submitted: auto-replied']))).toMatchObject({ outcome: 'automatic' })
  expect(await mails.mailsTo(from)).toEqual([])
  // The operator's filter writes into one header alone.
  const other = letter({ from: 'marked@example.test', headers: ['X-Spam-Report: yes'] })
  expect(await mails.take(other)).toMatchObject({ outcome: 'unmatched', answered: true })
  const outcomes = await Promise.all(['Three', 'Four', 'Five'].map((body) => mails.take(stranger(body))))
  expect(outcomes.map((row) => row?.answered).toSorted()).toEqual([false, false, true])
  mails.desk.nowMs += 25 * 3_600_000
  await mails.take(stranger('Tomorrow'))
  expect(await mails.mailsTo(from)).toHaveLength(2)
})

it('an unknown sender is answered in the language that the mail asks for, else in English', async () => {
  const answered = async (from: string, headers: string[]) => {
    await mails.take(letter({ from, headers }))
    const rows = await mails.desk.database.db.query<{ language: string }>(
      'select language from control.mails where recipient = $1',
      [from],
    )
    return rows.map(({ language }) => language)
  }
  expect(await answered('janos@example.test', ['Accept-Language: hu-HU, en-US', 'Content-Language: de'])).toEqual([
    'hu',
  ])
  expect(await answered('greta@example.test', ['Content-Language: de-DE'])).toEqual(['de'])
  expect(await answered('marie@example.test', ['Content-Language: fr'])).toEqual(['en'])
})

it('a loop ends after three mails to one ticket that differ in spaces and capitals alone; of more than thirty messages in an hour the others wait in the mailbox', async () => {
  const outcomes: unknown[] = []
  const away = ['I am  away.', 'I am away.', ' i am\n\taway.', 'I AM AWAY.', 'I am  away.']
  for (const body of away) outcomes.push((await mails.take(write({ body })))?.outcome)
  expect(outcomes).toEqual(['message', 'message', 'message', 'loop', 'loop'])
  const other = await mails.desk.opened(customer.caller)
  const elsewhere = await mails.replyTo(customer.caller, other)
  expect((await mails.take(write({ to: elsewhere, body: 'I am away.' })))?.outcome).toBe('message')
  for (let at = 0; at < 26; at += 1) await mails.take(write({ body: `Mail ${at}` }))
  await expect(mails.take(write({ body: 'One more' }))).rejects.toThrow('more than the messages of an hour')
  mails.desk.nowMs += 3_700_000
  expect((await mails.take(write({ body: 'One more' })))?.outcome).toBe('message')
})

it('somebody who was told that their ticket is closed is told as well that another address is none of a ticket', async () => {
  await closeOrReopen(mails.desk.context(), { caller: customer.caller, ticketId, requestId: 'r', act: 'close' })
  await mails.desk.database.owner.query(`update cms_api.people set language = 'de' where id = $1`, [
    customer.caller.userId,
  ])
  const headers = ['Accept-Language: hu']
  expect(await mails.take(write({ headers }))).toMatchObject({ outcome: 'closed', answered: true })
  const stranger = letter({ from: customer.address, headers })
  expect(await mails.take(stranger)).toMatchObject({ outcome: 'unmatched', answered: true })
  // A known person reads their own language.
  const languages = await mails.desk.database.db.query<{ language: string }>(
    'select language from control.mails where recipient = $1 order by created_at, id',
    [customer.address],
  )
  expect(languages.map(({ language }) => language)).toEqual(['de', 'hu'])
})

it('mails from our own addresses are answered by nobody', async () => {
  const own = ['tickets@host.example', 'noreply@host.example', to]
  const outcomes = []
  for (const from of own) outcomes.push(await mails.take(letter({ to, from })))
  expect(outcomes).toEqual(own.map(() => ({ outcome: 'own', answered: false, ticket_id: null })))
  expect(await texts()).toEqual(['Please'])
})

it('mails that somebody forges in a customer’s name keep none of the customer’s own away', async () => {
  const forged = (at: number) => letter({ from: customer.address, body: `Forged ${at}` })
  for (let at = 0; at < 32; at += 1) await mails.take(forged(at))
  expect((await mails.take(write({ body: 'It is me' })))?.outcome).toBe('message')
  await closeOrReopen(mails.desk.context(), { caller: customer.caller, ticketId, requestId: 'r', act: 'close' })
  expect(await mails.take(write({ body: 'Still here?' }))).toMatchObject({ outcome: 'closed', answered: true })
})

it('an answer by mail reads what was mailed and nothing that came later, and shows that its address exists', async () => {
  const { db } = mails.desk.database
  const staff = await mails.desk.worker()
  await mails.desk.say(staff, ticketId, { text: 'Mailed' })
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  await mails.desk.say(staff, ticketId, { text: 'Not mailed yet' })
  const hash = addressHash(customer.address, mails.deps().mailSecret)
  await suppressAddress(db, { hash, status: '5.1.1', nowMs: mails.desk.nowMs })
  expect((await mails.take(write({ body: 'My answer' })))?.outcome).toBe('message')
  const readOf = async () =>
    (
      await db.query<{ text: string }>(
        `select m.text from control.ticket_reads r join control.ticket_messages m
         on m.ticket_id = r.ticket_id and m.seq = r.read_seq where r.ticket_id = $1 and r.user_id = $2`,
        [ticketId, customer.caller.userId],
      )
    ).map(({ text }) => text)
  expect(await readOf()).toEqual(['Mailed'])
  expect(await db.query('select 1 from control.mail_suppressions where address_hash = $1', [hash])).toEqual([])
  // The mail server has the first one by now.
  await db.query(`update control.mails set state = 'sent', sealed = null, finished_at = now() where recipient = $1`, [
    customer.address,
  ])
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  expect((await mails.mailsTo(customer.address)).map(({ kind }) => kind)).toEqual(['ticket.reply', 'ticket.reply'])
})

it('a report of a mail server to the signed address of a mail makes its recipient suppressed; others change nothing', async () => {
  const { db } = mails.desk.database
  const id = '01890000-0000-7000-8000-0000000000aa'
  await db.query(
    `insert into control.mails (id, kind, language, recipient, sealed, next_try_at, expires_at, request_id, created_at)
     values ($1, 'invoice', 'en', 'gone@example.test', 'x', now(), now(), 'r', now())`,
    [id],
  )
  const suppressed = async () => (await db.query('select 1 from control.mail_suppressions')).length
  const address = mails.addresses.bounceTo(id)
  expect((await mails.take(bounceReport(address, { status: '4.2.2', action: 'delayed' })))?.outcome).toBe('automatic')
  expect((await mails.take(bounceReport(address, { status: '5.2.2' })))?.outcome).toBe('automatic')
  expect((await mails.take(bounceReport(to)))?.outcome).toBe('automatic')
  // Its owner forwards to an address that is gone, or a server refuses the sender: the address itself is well.
  const forwarded = bounceReport(address, { recipient: 'old-work@example.test' })
  expect((await mails.take(forwarded))?.outcome).toBe('automatic')
  expect((await mails.take(bounceReport(address, { status: '5.1.0' })))?.outcome).toBe('automatic')
  expect((await mails.take(bounceReport(address.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')))))?.outcome).toBe(
    'automatic',
  )
  expect(await suppressed()).toBe(0)
  expect((await mails.take(bounceReport(address)))?.outcome).toBe('bounce')
  expect(await suppressed()).toBe(1)
})

it('a mail that waited longer than rows are kept is no message, and nothing in it is read', async () => {
  mails.rewritePicture = () => Promise.reject(new Error('It was read'))
  const old = letterWithFiles([{ type: 'image/png', name: 'a.png', bytes: PNG }], { to, from: customer.address })
  const place = { uid: 99_999, arrivedAtMs: mails.desk.nowMs - 31 * 86_400_000 }
  expect(await mails.take(old, place)).toMatchObject({ outcome: 'too-old' })
  expect(await mails.take(old, place)).toMatchObject({ outcome: 'too-old' })
  expect(await texts()).toEqual(['Please'])
})
