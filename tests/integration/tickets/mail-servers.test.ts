import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { imapInbox } from '../../../control-plane/messages/inbox/imap/imap-inbox.ts'
import { contentOf } from '../../../control-plane/messages/inbox/mail-content.ts'
import { parseMail, type ParsedMail } from '../../../control-plane/messages/inbox/parse-mail.ts'
import { dkimKeyFrom } from '../../../control-plane/messages/mail/mail-variables.ts'
import { sendMail } from '../../../control-plane/messages/mail/send-mail.ts'
import { smtpTransport } from '../../../control-plane/messages/mail/transports/smtp/smtp-transport.ts'
import { inboxReader } from '../../../control-plane/tickets/mail/read-inbox.ts'
import type { TakingDeps } from '../../../control-plane/tickets/mail/take-mail.ts'
import { mailReplies } from '../../../control-plane/tickets/mail/reply-mails.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { letter } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { dkimOf } from '../../support/dkim.ts'
import { ImapProxy, type Misbehaviour } from '../../support/imap-proxy.ts'
import { MailServers } from '../../support/mail-servers.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINUTE_MS = 60_000
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const PUBLIC_KEY = KEYS.publicKey.export({ format: 'pem', type: 'spki' }).toString()

let servers: MailServers
let mails: MailDesk
let customer: { caller: TicketCaller; address: string }
let staff: TicketCaller
let ticketId: string
let to: string
beforeAll(async () => {
  servers = await MailServers.start()
  mails = await MailDesk.open()
  staff = await mails.desk.worker()
})
beforeEach(async () => {
  // The mailbox dates its mails itself.
  mails.desk.nowMs = Math.max(Date.now(), mails.desk.nowMs)
  mails.faults = async () => {}
  customer = await mails.customer()
  ticketId = await mails.desk.opened(customer.caller, { title: 'It does not start' })
  to = await mails.replyTo(customer.caller, ticketId)
})
afterAll(async () => {
  await mails.close()
  await servers.stop()
})

const readerOf = (folder = servers.imap.folder) =>
  inboxReader({ ...mails.deps(), inbox: imapInbox({ ...servers.imap, folder }, { maxBytes: 25 * 1_024 * 1_024 }) })
const texts = async () => (await mails.messages(ticketId)).map(({ text }) => text)

/** Mails from the customer's own mail program, by SMTP. */
const write = async (...bodies: readonly string[]) => {
  const before = await servers.waiting()
  const program = createTransport({ host: '127.0.0.1', port: servers.smtpPort, ignoreTLS: true })
  for (const body of bodies) {
    const raw = letter({ to, from: customer.address, body })
    await program.sendMail({ envelope: { from: customer.address, to: [to] }, raw })
    await waitFor(
      'the mail in its mailbox',
      async () => (await servers.waiting()) === before + bodies.indexOf(body) + 1,
    )
  }
  program.close()
}

/** The work of the jobs at this moment of the clock: mails about replies, and every mail whose time has come. */
const run = async () => {
  const base = mails.deps()
  const settings = { host: '127.0.0.1', port: servers.smtpPort, username: undefined, password: undefined }
  const encoded = KEYS.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const transport = smtpTransport({ settings: () => Promise.resolve(settings), dkim: dkimKeyFrom(`s1:${encoded}`) })
  await mailReplies(base)
  const due = await base.db.query<{ id: string }>(
    `select id from control.mails where state = 'waiting' and next_try_at <= $1 order by next_try_at`,
    [new Date(mails.desk.nowMs)],
  )
  for (const { id } of due) await sendMail({ ...base, mail: { ...base.mail, transport } }, id)
}
const pass = async (minutes: number) => {
  for (let at = 0; at < minutes; at += 1) {
    mails.desk.nowMs += MINUTE_MS
    await run()
  }
}
const received = async (address: string, count: number): Promise<ParsedMail[]> => {
  await waitFor(`${count} mails to ${address}`, () => servers.mailsOf(address).length >= count)
  const parsed = await Promise.all(servers.mailsOf(address).map((mail) => parseMail(mail)))
  return parsed.filter((mail) => mail !== null)
}
const headerOf = (mail: ParsedMail | undefined, name: string) =>
  mail?.headers.filter((header) => header.name === name).map(({ value }) => value)
const suppressed = async () => (await mails.desk.database.db.query('select 1 from control.mail_suppressions')).length

it('an answer that a customer’s mail program submits lands once in the ticket, and leaves the mailbox', async () => {
  await write('It works now, thank you!')
  const read = readerOf()
  await read()
  await read()
  expect(await texts()).toEqual(['Please', 'It works now, thank you!'])
  expect(await servers.waiting()).toBe(0)
})

it('a reply of staff goes out signed, with the address that takes the answer, in the customer’s own thread', async () => {
  await write('My first mail')
  await readerOf()()
  const [{ answer_to: mine } = { answer_to: '' }] = await mails.desk.database.db.query<{ answer_to: string }>(
    'select answer_to from control.ticket_mails where ticket_id = $1',
    [ticketId],
  )
  await mails.desk.say(staff, ticketId, { text: 'Árvíztűrő: restart it' })
  await pass(4)
  const [mail, ...others] = await received(customer.address, 1)
  expect(others).toEqual([])
  expect(headerOf(mail, 'reply-to')?.[0]).toContain(to)
  expect(headerOf(mail, 'in-reply-to')).toEqual([mine])
  expect(headerOf(mail, 'references')).toEqual([`<ticket.${ticketId}@host.example> ${mine}`])
  expect(headerOf(mail, 'return-path')?.[0]).toMatch(/^<tickets\+b[a-z2-7]{42}@host\.example>$/)
  expect(mail?.text).toContain('Árvíztűrő: restart it')
  const [source = Buffer.of()] = servers.mailsOf(customer.address)
  const signed = { domain: 'host.example', selector: 's1', isRight: true }
  expect(dkimOf(source, PUBLIC_KEY)).toMatchObject({ ...signed, headers: expect.arrayContaining(['from', 'reply-to']) })
  const forged = Buffer.from(source.toString('latin1').replace('restart it', 'send money'), 'latin1')
  expect(dkimOf(forged, PUBLIC_KEY)).toMatchObject({ isRight: false })
})

it('a mail that the customer answers to that mail comes back into the same ticket', async () => {
  await mails.desk.say(staff, ticketId)
  await pass(4)
  const [mail] = await received(customer.address, 1)
  const [, address = ''] = /<([^>]+)>/.exec(headerOf(mail, 'reply-to')?.[0] ?? '') ?? []
  to = address
  await write('Answered from the program')
  await readerOf()()
  expect((await texts()).at(-1)).toBe('Answered from the program')
})

it('a mailbox server that restarts in the middle loses no mail and gives none twice', async () => {
  const bodies = ['The first', 'The second', 'The third']
  await write(...bodies)
  let stored = 0
  mails.faults = async (name) => {
    if (name !== 'inbox.stored') return
    stored += 1
    if (stored !== 2) return
    await servers.stopMailbox()
    await servers.startMailbox()
  }
  const read = readerOf()
  await read()
  // The second one is stored, and still in the mailbox, whose connection is lost.
  expect([await texts(), await servers.waiting()]).toEqual([['Please', 'The first', 'The second'], 2])
  await read()
  expect([await texts(), await servers.waiting()]).toEqual([['Please', ...bodies], 0])
})

it.each(['inbox.read', 'inbox.stored'])(
  'a job that ends at %s, between reading a mail and removing it, leaves it to the next one',
  async (point) => {
    await write('Neither lost nor twice')
    let wake = () => {}
    const frozen = new Promise<void>((done) => {
      wake = done
    })
    let isThere = () => {}
    const there = new Promise<void>((done) => {
      isThere = done
    })
    mails.faults = (name) => {
      if (name !== point) return Promise.resolve()
      isThere()
      return frozen
    }
    const first = readerOf()()
    await there
    mails.faults = async () => {}
    await readerOf()()
    expect([await texts(), await servers.waiting()]).toEqual([['Please', 'Neither lost nor twice'], 0])
    // It was only frozen: what it does now changes nothing.
    wake()
    await first
    expect(await texts()).toEqual(['Please', 'Neither lost nor twice'])
  },
)

it('a mail that was stored leaves the mailbox, although the mail server does not give it a second time', async () => {
  await write('It is stored')
  const [uid = 0] = await servers.uids()
  const proxy = new ImapProxy(servers.imap.port)
  const inbox = imapInbox({ ...servers.imap, port: await proxy.open() }, { maxBytes: 25 * 1_024 * 1_024 })
  mails.faults = (name) => (name === 'inbox.stored' ? Promise.reject(new Error('killed')) : Promise.resolve())
  await inboxReader({ ...mails.deps(), inbox })()
  expect([await texts(), await servers.waiting()]).toEqual([['Please', 'It is stored'], 1])
  mails.faults = async () => {}
  proxy.broken = { uid, how: 'NO' }
  // The next control plane knows from its row that only the removal is left.
  await inboxReader({ ...mails.deps(), inbox })()
  await proxy.close()
  expect([await texts(), await servers.waiting(), proxy.asked]).toEqual([['Please', 'It is stored'], 0, [uid]])
})

it('while the mailbox server is down the job says so, and goes on by itself', async () => {
  await write('It waited')
  await servers.stopMailbox()
  const read = readerOf()
  await read()
  expect(await mails.metrics.registry.metrics()).toMatch(/bakter_mail_alarms_total\{reason="mailbox"\} [1-9]/)
  await servers.startMailbox()
  await read()
  expect(await texts()).toEqual(['Please', 'It waited'])
})

it('after an hour without mail server every mail is delivered, in order, and none twice', async () => {
  const other = await mails.customer()
  const otherTicket = await mails.desk.opened(other.caller, { title: 'Another' })
  await servers.stopSmtp()
  const said: string[] = []
  for (let at = 0; at < 6; at += 1) {
    said.push(`Reply ${at}.`)
    await mails.desk.say(staff, ticketId, { text: `Reply ${at}.` })
    await mails.desk.say(staff, otherTicket, { text: `Other ${at}.` })
    await pass(10)
  }
  expect(servers.mailsOf(customer.address)).toEqual([])
  await servers.startSmtp()
  await pass(130)
  for (const [address, word] of [
    [customer.address, 'Reply'],
    [other.address, 'Other'],
  ] as const) {
    const sent = (await mails.mailsTo(address)).length
    const told = (await received(address, sent)).map(({ text }) => text.match(new RegExp(`${word} \\d\\.`, 'g')) ?? [])
    expect(told.flat()).toEqual(said.map((text) => text.replace('Reply', word)))
  }
  await pass(130)
  expect(servers.mailsOf(customer.address).flatMap((mail) => String(mail).match(/^message-id:/gim) ?? [])).toHaveLength(
    (await mails.mailsTo(customer.address)).length,
  )
})

it('an address that the mail server refuses as unknown is suppressed; a refusal of the sender is not', async () => {
  const { owner } = mails.desk.database
  const move = (address: string) =>
    owner.query('update cms_api.people set email = $2 where id = $1', [customer.caller.userId, address])
  const before = await suppressed()
  await move(`spam-${customer.caller.userId}@example.test`)
  await mails.desk.say(staff, ticketId)
  await pass(4)
  expect(await suppressed()).toBe(before)
  const gone = `gone-${customer.caller.userId}@example.test`
  await move(gone)
  await mails.desk.say(staff, ticketId)
  await pass(4)
  expect(await suppressed()).toBe(before + 1)
  await mails.desk.say(staff, ticketId)
  await pass(4)
  const failures = await mails.desk.database.db.query<{ failure: string }>(
    'select failure from control.mails where recipient = $1 order by created_at',
    [gone],
  )
  expect(failures.map(({ failure }) => failure)).toEqual(['EENVELOPE 550', 'SUPPRESSED'])
})

it('the mailbox is spoken to while somebody looks at a mail for long, and the next mail is given as well', async () => {
  await write('It takes long', 'It is behind')
  const proxy = new ImapProxy(servers.imap.port)
  const timeouts = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, aliveMs: 10 }
  const inbox = imapInbox({ ...servers.imap, port: await proxy.open() }, { maxBytes: 25 * 1_024 * 1_024, timeouts })
  let reads = 0
  const readContent: TakingDeps['inbound']['readContent'] = async (source) => {
    reads += 1
    if (reads === 1) await waitFor('words to the mailbox', () => proxy.noops >= 3)
    return contentOf(source)
  }
  const deps = mails.deps()
  await inboxReader({ ...deps, inbound: { ...deps.inbound, readContent }, inbox })()
  await proxy.close()
  expect([await texts(), await servers.waiting()]).toEqual([['Please', 'It takes long', 'It is behind'], 0])
})

// A broken literal ends the connection, so that the mail behind it is for the next run.
it.each<[Misbehaviour, number]>([
  ['NO', 1],
  ['BAD', 1],
  ['nothing', 1],
  ['broken literal', 2],
])(
  'a mail that the mail server answers with %s is told once, keeps none behind it away, and is asked for once a day after ten times',
  async (how, runs) => {
    await write('It is not given', 'It is behind')
    const [first = 0, second] = await servers.uids()
    const proxy = new ImapProxy(servers.imap.port)
    proxy.broken = { uid: first, how }
    const inbox = imapInbox({ ...servers.imap, port: await proxy.open() }, { maxBytes: 25 * 1_024 * 1_024 })
    const told: string[] = []
    const tell = (_: object, text: string) => void told.push(text)
    const log = { ...mails.deps().log, warn: tell, error: tell }
    const alarms = async () =>
      /mail_alarms_total\{reason="mail not given"\} (\d+)/.exec(await mails.metrics.registry.metrics())?.[1] ?? '0'
    const before = Number(await alarms())
    const read = inboxReader({ ...mails.deps(), log, inbox })
    try {
      for (let at = 0; at < runs; at += 1) await read()
      expect(await texts()).toEqual(['Please', 'It is behind'])
      for (let at = 0; at < 15; at += 1) {
        mails.desk.nowMs += 10 * 3_600_000
        await read()
      }
      expect(proxy.asked.filter((uid) => uid === first)).toHaveLength(12)
      expect(proxy.asked.filter((uid) => uid === second)).toHaveLength(1)
      expect(told.filter((text) => text.includes('does not give a mail'))).toEqual([
        'the mail server does not give a mail, it is asked for again',
        'the mail server does not give a mail, it is asked for once a day',
      ])
      expect(Number(await alarms())).toBe(before + 1)
      // Nothing is lost: it is taken as soon as the server gives it.
      proxy.broken = null
      mails.desk.nowMs = Date.now()
      await inboxReader({ ...mails.deps(), inbox })()
      expect([await texts(), await servers.waiting()]).toEqual([['Please', 'It is behind', 'It is not given'], 0])
    } finally {
      await proxy.close()
    }
  },
)
