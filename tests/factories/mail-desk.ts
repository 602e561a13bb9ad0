import type { TicketCaller } from '../../control-plane/tickets/reach-ticket.ts'
import { mailAddresses } from '../../control-plane/messages/inbox/mail-addresses.ts'
import { contentOf, type ReadContent } from '../../control-plane/messages/inbox/mail-content.ts'
import type { InboxMail, MailInbox } from '../../control-plane/messages/inbox/mail-inbox.ts'
import type { OutgoingMail } from '../../control-plane/messages/mail/mail-transport.ts'
import { sendMail } from '../../control-plane/messages/mail/send-mail.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { createMetrics } from '../../control-plane/platform/metrics.ts'
import { inboxReader } from '../../control-plane/tickets/mail/read-inbox.ts'
import type { RewritePicture } from '../../control-plane/tickets/mail/mail-files.ts'
import { takeMail } from '../../control-plane/tickets/mail/take-mail.ts'
import { TicketDesk } from './ticket-desk.ts'
import { placed } from './letters.ts'

const SECRET = 'the secret of the mail desk'
export const INBOX_ADDRESS = 'tickets@host.example'

export type Row = { outcome: string; answered: boolean; ticket_id: string | null }

/** Tickets that are answered by mail: a desk with a mailbox in memory. */
export class MailDesk {
  readonly addresses = mailAddresses(INBOX_ADDRESS, SECRET)
  readonly metrics = createMetrics()
  readonly desk: TicketDesk
  faults: FaultPoint = async () => {}
  rewritePicture: RewritePicture = (bytes) => Promise.resolve(bytes)
  readContent: ReadContent = contentOf
  waiting: InboxMail[] = []
  /** The uids of the mails whose bytes the reader fetched. */
  fetched: number[] = []

  private constructor(desk: TicketDesk) {
    this.desk = desk
  }

  static async open(): Promise<MailDesk> {
    return new MailDesk(await TicketDesk.open())
  }

  deps() {
    return {
      ...this.desk.context(),
      faults: this.faults,
      metrics: this.metrics,
      mailSecret: SECRET,
      mail: {
        transport: { name: 'none', send: () => Promise.resolve() },
        sender: () => Promise.resolve({ name: 'Host', address: 'noreply@host.example' }),
        facts: () => Promise.resolve({ hostName: 'Host', siteUrl: 'https://host.example', takesReplies: true }),
        addresses: this.addresses,
      },
      inbound: {
        addresses: this.addresses,
        readContent: (source: Uint8Array) => this.readContent(source),
        rewritePicture: (bytes: Uint8Array) => this.rewritePicture(bytes),
        spamHeader: 'x-spam-flag',
      },
    }
  }

  /** Somebody with a verified address. */
  async customer(): Promise<{ caller: TicketCaller; address: string }> {
    const caller = await this.desk.person()
    const [row] = await this.desk.database.owner.query<{ email: string }>(
      'update cms_api.people set verified = true where id = $1 returning email',
      [caller.userId],
    )
    return { caller, address: row?.email ?? '' }
  }

  /** A new ticket of somebody with a verified address, and where they reply to it; what an earlier test has replaced is as it was. */
  async mailedTicket() {
    this.faults = async () => {}
    this.rewritePicture = (bytes) => Promise.resolve(bytes)
    const customer = await this.customer()
    const ticketId = await this.desk.opened(customer.caller)
    return { customer, ticketId, to: await this.replyTo(customer.caller, ticketId) }
  }

  /** Where this person replies to a ticket. */
  async replyTo({ userId }: TicketCaller, ticketId: string): Promise<string> {
    const [row] = await this.desk.database.db.query<{ identifier: string }>(
      'select identifier from control.tickets where id = $1',
      [ticketId],
    )
    return this.addresses.replyTo({ ticketId, userId, identifier: row?.identifier ?? '' })
  }

  /** The outcome of a mail at a place of its own. */
  async take(source: Uint8Array, changes: Partial<InboxMail> = {}): Promise<Row | undefined> {
    const mail = placed(source, changes)
    await takeMail(this.deps(), mail)
    return this.outcomeOf(mail)
  }

  async outcomeOf({ mailbox, uidValidity, uid }: InboxMail): Promise<Row | undefined> {
    const [row] = await this.desk.database.db.query<Row>(
      `select outcome, answered, ticket_id from control.received_mails where mailbox = $1 and uid_validity = $2 and uid = $3`,
      [mailbox, uidValidity, uid],
    )
    return row
  }

  /** Reads the mailbox in memory, as the job does. */
  reader(): () => Promise<void> {
    const inbox: MailInbox = {
      visit: async (look) => {
        for (const mail of [...this.waiting]) {
          const { mailbox, uidValidity, uid } = mail
          const fetch = () => {
            this.fetched.push(uid)
            return Promise.resolve(mail)
          }
          if ((await look({ mailbox, uidValidity, uid, fetch })) === 'remove')
            this.waiting = this.waiting.filter((other) => other !== mail)
        }
      },
    }
    return inboxReader({ ...this.deps(), inbox })
  }

  /** The messages of a ticket, oldest first. */
  messages(ticketId: string) {
    return this.desk.database.db.query<{
      id: string
      text: string
      quoted: string
      by_staff: boolean
      author_id: string
    }>(
      `select id, text, quoted, by_staff, author_id from control.ticket_messages where ticket_id = $1 and kind = 'message' order by seq`,
      [ticketId],
    )
  }

  /** Every mail that waits to be sent to an address. */
  mailsTo(address: string) {
    return this.desk.database.db.query<{ id: string; kind: string }>(
      'select id, kind from control.mails where recipient = $1 order by created_at, id',
      [address],
    )
  }

  /** Sends everything that waits for an address, and returns it. */
  async sentTo(address: string): Promise<OutgoingMail[]> {
    const sent: OutgoingMail[] = []
    const base = this.deps()
    const transport = { name: 'test', send: (mail: OutgoingMail) => Promise.resolve(void sent.push(mail)) }
    for (const { id } of await this.mailsTo(address)) await sendMail({ ...base, mail: { ...base.mail, transport } }, id)
    return sent
  }

  close(): Promise<void> {
    return this.desk.close()
  }
}
