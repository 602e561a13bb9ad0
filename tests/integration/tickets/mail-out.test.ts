import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MailOrder } from '#contracts/mail/mail.ts'
import { mailAddresses } from '../../../control-plane/messages/inbox/mail-addresses.ts'
import type { OutgoingMail } from '../../../control-plane/messages/mail/mail-transport.ts'
import { sendMail } from '../../../control-plane/messages/mail/send-mail.ts'
import { acceptMail } from '../../../control-plane/messages/mail/accept-mail.ts'
import { addressHash, suppressAddress } from '../../../control-plane/messages/mail/suppression.ts'
import { closeOrReopen, rateTicket, readTicketUpTo } from '../../../control-plane/tickets/change-ticket.ts'
import { keepAttachment } from '../../../control-plane/tickets/ticket-attachments.ts'
import { mailReplies } from '../../../control-plane/tickets/mail/reply-mails.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { letter } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'

let mails: MailDesk
let customer: { caller: TicketCaller; address: string }
let staff: TicketCaller
let ticketId: string
let sent: OutgoingMail[]
beforeAll(async () => {
  mails = await MailDesk.open()
  staff = await mails.desk.worker()
})
beforeEach(async () => {
  mails.faults = async () => {}
  customer = await mails.customer()
  ticketId = await mails.desk.opened(customer.caller, { title: 'It does not start' })
  sent = []
})
afterAll(() => mails.close())

const wait = async (minutes = 4) => {
  mails.desk.nowMs += minutes * 60_000
  await mailReplies(mails.deps())
}
const mailed = () => mails.mailsTo(customer.address)
const send = async (address = customer.address) => void sent.push(...(await mails.sentTo(address)))

it('unread replies are mailed together, once, to an address where the person answers', async () => {
  await mails.desk.say(staff, ticketId, { text: 'Restart it <b>now</b>' })
  await mailReplies(mails.deps())
  expect(await mailed()).toEqual([])
  mails.desk.nowMs += 2 * 60_000
  await mails.desk.say(staff, ticketId, { text: 'And tell me' })
  await mails.desk.say(staff, ticketId, { kind: 'note', text: 'SECRET' })
  // The first one is due: the second does not put it off.
  await wait(2)
  expect(await mailed()).toHaveLength(1)
  await Promise.all([mailReplies(mails.deps()), mailReplies(mails.deps())])
  await wait()
  await send()
  const to = await mails.replyTo(customer.caller, ticketId)
  expect(sent).toMatchObject([{ to: customer.address, replyTo: to, references: [`<ticket.${ticketId}@host.example>`] }])
  const [mail] = sent
  expect(mail?.bounceTo).toBe(mails.addresses.bounceTo(mail?.id ?? ''))
  expect(mail?.text).toMatch(/^##-[\s\S]*Restart it <b>now<\/b>[\s\S]*And tell me/)
  expect(mail?.html).toContain('Restart it &lt;b&gt;now&lt;/b&gt;')
  expect(`${mail?.text} ${mail?.html}`).not.toContain('SECRET')
})

// The sender is noreply@host.example: reports of another domain would part the envelope from it.
it.each([
  ['tickets@host.example', true],
  ['tickets@replies.example', false],
  ['tickets@mail.host.example', false],
])(
  'answers come to the mailbox %s, and reports too only in the domain of the sender: %s',
  async (mailbox, isAligned) => {
    await mails.desk.say(staff, ticketId)
    await wait()
    const [{ id } = { id: '' }] = await mailed()
    const base = mails.deps()
    const addresses = mailAddresses(mailbox, base.mailSecret)
    const transport = { name: 'test', send: (mail: OutgoingMail) => Promise.resolve(void sent.push(mail)) }
    await sendMail({ ...base, mail: { ...base.mail, addresses, transport } }, id)
    expect(sent.map(({ bounceTo, replyTo }) => [bounceTo, replyTo?.split('@')[1]])).toEqual([
      [isAligned ? addresses.bounceTo(id) : undefined, mailbox.split('@')[1]],
    ])
  },
)

it('a reply with files names them and leads to the ticket; a note’s files and those of others stay unnamed', async () => {
  const attached = async (name: string) => {
    const bytes = Buffer.from('x'.repeat(2_000))
    const kept = await keepAttachment(mails.deps(), { userId: staff.userId, name, bytes, key: name })
    return kept.ok ? [kept.answer.id] : []
  }
  await mails.desk.say(staff, ticketId, { kind: 'note', text: 'A note', attachmentIds: await attached('secret.log') })
  await mails.desk.say(staff, ticketId, { text: 'See it', attachmentIds: await attached('<i>start.log') })
  await wait()
  await send()
  const [mail] = sent
  const plain = mail?.text.replaceAll('\u00A0', ' ')
  expect(plain).toContain('See it\n\nFiles in the ticket: istart.log (2 kB)\n\nOpen ticket:\nhttps://')
  expect(plain).toContain(`/dashboard/ticket/${ticketId}`)
  expect(mail?.html).toContain('istart.log')
  expect(`${mail?.text} ${mail?.html}`).not.toContain('secret')
})

it('the first mail to somebody has nothing from before the reply that it tells of', async () => {
  for (const text of ['First', 'Second', 'Third']) await mails.desk.say(staff, ticketId, { text })
  const friend = await mails.customer()
  const { owner } = mails.desk.database
  await owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, friend.caller.userId])
  await mails.desk.say(staff, ticketId, { text: 'Fourth' })
  await wait()
  await send(friend.address)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.text).toContain('Fourth')
  expect(sent[0]?.text).not.toMatch(/First|Second|Third/)
})

it('the reply to a ticket that is closed by then offers no answer by mail', async () => {
  await mails.desk.say(staff, ticketId, { text: 'Solved' })
  await closeOrReopen(mails.desk.context(), { caller: staff, ticketId, requestId: 'r', act: 'close' })
  await wait()
  await send()
  expect(sent).toHaveLength(1)
  expect(sent[0]).not.toHaveProperty('replyTo')
  expect(sent[0]?.text).toContain('The ticket is closed. You can reopen it on its page.')
  expect(sent[0]?.text).not.toMatch(/##-|reply to this e-mail/)
})

it('such a reply says that the ticket can be rated, to its opener alone, and not once they did; who may reopen it, to each', async () => {
  const friend = await mails.customer()
  await add(friend.caller)
  const act = { ticketId, requestId: 'r' }
  const replyAndClose = async () => {
    await mails.desk.say(staff, ticketId, { text: 'Solved' })
    await closeOrReopen(mails.desk.context(), { caller: staff, ...act, act: 'close' })
    await wait()
  }
  await replyAndClose()
  await send(friend.address)
  await send()
  await rateTicket(mails.desk.context(), { caller: customer.caller, ...act, rating: 'good' })
  await closeOrReopen(mails.desk.context(), { caller: staff, ...act, act: 'reopen' })
  await replyAndClose()
  await send()
  const says = sent.map(({ to, text }) => [
    to === customer.address,
    /you can rate it/.test(text),
    /You can reopen it|Its owner can reopen it/.exec(text)?.[0],
  ])
  expect(says).toEqual([
    [false, false, 'Its owner can reopen it'],
    [true, true, 'You can reopen it'],
    [true, false, 'You can reopen it'],
  ])
})

it('the answer to such a mail threads the next one under it', async () => {
  const to = await mails.replyTo(customer.caller, ticketId)
  await mails.take(letter({ to, from: customer.address, messageId: '<mine@example.test>' }))
  // One without an id breaks no thread.
  await mails.take(letter({ to, from: customer.address, messageId: null, body: 'And this' }))
  await mails.desk.say(staff, ticketId)
  await wait()
  await send()
  expect(sent[0]?.references).toEqual([`<ticket.${ticketId}@host.example>`, '<mine@example.test>'])
})

it('a person who has read a reply, does not want mails or has no verified address gets none', async () => {
  const { owner, db } = mails.desk.database
  const said = await mails.desk.say(staff, ticketId)
  const upTo = said.ok ? said.answer.messageId : ''
  await readTicketUpTo(mails.deps(), { caller: customer.caller, ticketId, upTo })
  await wait()
  await db.query(
    `insert into control.notification_settings (user_id, text, mail, updated_at) values ($1, 'ticket.reply', false, now())`,
    [customer.caller.userId],
  )
  await mails.desk.say(staff, ticketId)
  await wait()
  await db.query('delete from control.notification_settings where user_id = $1', [customer.caller.userId])
  await owner.query('update cms_api.people set verified = false where id = $1', [customer.caller.userId])
  await mails.desk.say(staff, ticketId)
  await wait()
  expect(await mailed()).toEqual([])
})

it('the subject of a mail is one line that says what it shows', async () => {
  ticketId = await mails.desk.opened(customer.caller, { title: 'It\u2028stops \u202Etxt.exe' })
  await mails.desk.say(staff, ticketId)
  await wait()
  await send()
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringContaining('It stops  txt.exe')])
})

const add = (person: TicketCaller) =>
  mails.desk.database.owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, person.userId])
const remove = (person: TicketCaller) =>
  mails.desk.database.owner.query('delete from control.ticket_people where user_id = $1', [person.userId])

it('a reader who is erased, suspended or no longer in the ticket when the mail is due gets none', async () => {
  const { owner } = mails.desk.database
  const [friend, former] = [await mails.customer(), await mails.customer()]
  for (const { caller } of [friend, former]) await add(caller)
  await mails.desk.say(staff, ticketId)
  await owner.query('insert into cms_api.erased_people values ($1)', [customer.caller.userId])
  await owner.query('insert into cms_api.suspended_people values ($1)', [friend.caller.userId])
  await remove(former.caller)
  await wait()
  const addresses = [customer.address, friend.address, former.address]
  expect(await Promise.all(addresses.map((address) => mails.mailsTo(address)))).toEqual([[], [], []])
})

it('a mail has the replies of staff alone, and nothing that somebody else in the ticket wrote', async () => {
  const friend = await mails.customer()
  await add(friend.caller)
  await mails.desk.say(staff, ticketId, { text: 'Of staff' })
  await mails.desk.say(friend.caller, ticketId, { text: 'Of a friend' })
  await mails.desk.say(staff, ticketId, { text: 'Of staff again' })
  await wait()
  await send()
  expect(sent.map(({ text }) => text.match(/Of (?:staff again|staff|a friend)/g))).toEqual([
    ['Of staff', 'Of staff again'],
  ])
})

it('one of two control planes that look at the same moment mails a reply', async () => {
  await mails.desk.say(staff, ticketId)
  mails.desk.nowMs += 4 * 60_000
  mails.faults = async (name) => {
    if (name !== 'reply-mail.accepted') return
    mails.faults = async () => {}
    await mailReplies(mails.deps())
  }
  await mailReplies(mails.deps())
  expect(await mailed()).toHaveLength(1)
})

it('a backlog is one mail: its newest ten replies, and how many more wait in the ticket', async () => {
  for (let at = 1; at <= 23; at += 1) await mails.desk.say(staff, ticketId, { text: `Reply ${at}.` })
  await wait()
  await wait()
  await send()
  expect(sent.map(({ text }) => text.match(/Reply \d+\./g))).toEqual([
    Array.from({ length: 10 }, (_, at) => `Reply ${at + 14}.`),
  ])
  expect(sent[0]?.text).toContain('The ticket has 13 earlier replies that you have not read.')
})

it('while a mail of the ticket waits for the mail server the next one is not written, that of somebody else is', async () => {
  const friend = await mails.customer()
  await mails.desk.database.owner.query('insert into control.ticket_people values ($1, $2, now())', [
    ticketId,
    friend.caller.userId,
  ])
  await mails.desk.say(staff, ticketId, { text: 'The first.' })
  await wait()
  const [first] = await mails.mailsTo(friend.address)
  await mails.desk.database.db.query(
    `update control.mails set state = 'sent', sealed = null, finished_at = now() where id = $1`,
    [first?.id],
  )
  await mails.desk.say(staff, ticketId, { text: 'The second.' })
  await wait()
  expect([(await mailed()).length, (await mails.mailsTo(friend.address)).length]).toEqual([1, 2])
  await send()
  await wait(0)
  await send()
  expect(sent.map(({ text }) => text.match(/The (?:first|second)\./g))).toEqual([['The first.'], ['The second.']])
})

it('a process that dies before the mail is stored leaves it to the next one, which sends it once', async () => {
  await mails.desk.say(staff, ticketId)
  mails.faults = async () => {
    throw new Error('killed')
  }
  await expect(wait()).rejects.toThrow('killed')
  mails.faults = async () => {}
  await wait()
  // Nothing waits any more: a mail that the note does not know of would be written again.
  await send()
  await wait()
  await send()
  expect([(await mailed()).length, sent.length]).toEqual([1, 1])
})

it('nothing but an awaited mail is sent to an address that does not exist, until 90 days are over', async () => {
  const deps = mails.deps()
  const hash = addressHash(customer.address.toUpperCase(), deps.mailSecret)
  await suppressAddress(deps.db, { hash, status: '5.1.1', nowMs: mails.desk.nowMs })
  await mails.desk.say(staff, ticketId)
  await wait()
  const order: MailOrder = {
    id: deps.ids.next(),
    to: customer.address,
    language: 'en',
    expiresAt: new Date(mails.desk.nowMs + 1_800_000).toISOString(),
    content: { kind: 'reset', params: { username: 'anna', path: '/auth/passwordreset?token=t0ken', minutes: 30 } },
  }
  await deps.db.transaction((tx) => acceptMail(tx, deps, { order, requestId: 'r' }))
  await send()
  expect([sent.map(({ id }) => id), await mailed()]).toMatchObject([[order.id], [{ kind: 'ticket.reply' }, {}]])
  mails.desk.nowMs += 90 * 86_400_000
  await mails.desk.say(staff, ticketId, { text: 'Once more' })
  await wait()
  await send()
  expect(sent.at(-1)?.text).toContain('Once more')
})
