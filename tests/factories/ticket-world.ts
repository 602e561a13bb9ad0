import { systemIds } from '#platform/ids.ts'
import { answerTicket } from '../../control-plane/tickets/answer-ticket.ts'
import { closeOrReopen } from '../../control-plane/tickets/change-ticket.ts'
import { addTicketPerson, removeTicketPerson } from '../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../control-plane/tickets/merge-ticket.ts'
import { openTicket } from '../../control-plane/tickets/open-ticket.ts'
import type { TicketCaller } from '../../control-plane/tickets/reach-ticket.ts'
import { keepAttachment } from '../../control-plane/tickets/ticket-attachments.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from './connected-site.ts'
import { ticketShop } from './ticket-shop.ts'
import { noScanner } from './virus-scanners.ts'

/**
 * Everybody who may ask about a ticket: a customer who has nothing to do with it, one who was added and removed again, support without its category,
 * one who was added, its opener, support with its category, and an administrator.
 */
export const TICKET_CALLERS = ['stranger', 'removed', 'elsewhere', 'added', 'opener', 'desk', 'administrator'] as const
export type TicketCallerName = (typeof TICKET_CALLERS)[number]

/** A ticket with a file of a message, one of a note and one that its opener has not sent; each file contains its name. */
export type WorldTicket = {
  readonly ticketId: string
  readonly sent: string
  readonly noted: string
  readonly unsent: string
}

type Answered = { readonly ok: true } | { readonly ok: false; readonly code: string }

/** Both programs with everybody who may ask about a ticket. */
export class TicketWorld {
  readonly connected: ConnectedSite
  readonly billing: string
  readonly technical: string
  readonly #visitors: Readonly<Record<TicketCallerName, Visitor>>

  private constructor(
    connected: ConnectedSite,
    categories: { billing: string; technical: string },
    visitors: Readonly<Record<TicketCallerName, Visitor>>,
  ) {
    this.connected = connected
    this.billing = categories.billing
    this.technical = categories.technical
    this.#visitors = visitors
  }

  static async open(): Promise<TicketWorld> {
    const connected = await openConnectedSite()
    const { owner } = connected.database
    const shop = ticketShop(() => connected.database)
    await shop.addCategories()
    const visit = async (name: TicketCallerName) => {
      const facts = { isAdmin: name === 'administrator', isSupport: name === 'desk' || name === 'elsewhere' }
      const visitor = await connected.visit(facts)
      await owner.query(
        `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
         values ($1, $2, 'acdefghj', $2 || '@example.test', 'en', true, 'receipt', $3, $4)`,
        [visitor.userId, name, facts.isAdmin, facts.isSupport],
      )
      return [name, visitor] as const
    }
    const visitors: (readonly [TicketCallerName, Visitor])[] = []
    for (const name of TICKET_CALLERS) visitors.push(await visit(name))
    const world = new TicketWorld(
      connected,
      shop,
      Object.fromEntries(visitors) as Readonly<Record<TicketCallerName, Visitor>>,
    )
    const staff = [
      ['desk', shop.billing],
      ['elsewhere', shop.technical],
      ['administrator', null],
    ] as const
    for (const [name, categoryId] of staff)
      await owner.query('insert into cms_api.ticket_staff values ($1, $2)', [world.idOf(name), categoryId])
    return world
  }

  idOf(name: TicketCallerName): string {
    return this.#visitors[name].userId
  }

  /** The headers of a request by somebody, with a key of its own. */
  headersOf(name: TicketCallerName): Record<string, string> {
    return { ...this.#visitors[name].headers, 'idempotency-key': systemIds.next() }
  }

  callerOf(name: TicketCallerName): TicketCaller {
    const isSupport = name === 'desk' || name === 'elsewhere'
    return { userId: this.idOf(name), isAdmin: name === 'administrator', isSupport, locale: 'en' }
  }

  /** An uploaded file that waits for a message. */
  async file(name: TicketCallerName, content: string): Promise<string> {
    const upload = {
      userId: this.idOf(name),
      name: `${content}.log`,
      bytes: Buffer.from(content),
      key: systemIds.next(),
    }
    const kept = await keepAttachment({ ...this.connected.context, scanner: noScanner }, upload)
    if (!kept.ok) throw new Error(kept.code)
    return kept.answer.id
  }

  async #done(work: Promise<Answered>): Promise<void> {
    const result = await work
    if (!result.ok) throw new Error(result.code)
  }

  #asked(name: TicketCallerName, ticketId: string) {
    return { caller: this.callerOf(name), ticketId, requestId: 'r', key: systemIds.next() }
  }

  async opened({
    categoryId = this.billing,
    attachments = [] as string[],
    message = 'It stops',
  } = {}): Promise<string> {
    const opening = { title: 'Marmots', categoryId, message, attachments }
    const result = await openTicket(this.connected.context, {
      caller: { ...this.callerOf('opener'), isVerified: true },
      request: opening,
      key: systemIds.next(),
      requestId: 'r',
    })
    if (!result.ok) throw new Error(result.code)
    return result.answer.ticketId
  }

  /** A new ticket as everybody of the world finds it. */
  async ticket(): Promise<WorldTicket> {
    const { context, database } = this.connected
    // Ten files wait at most.
    await database.owner.query('delete from control.ticket_attachments where message_id is null')
    const sent = await this.file('opener', 'sent')
    const ticketId = await this.opened({ attachments: [sent] })
    const noted = await this.file('desk', 'noted')
    const note = { kind: 'note' as const, text: 'About the customer', attachmentIds: [noted] }
    await this.#done(answerTicket(context, { ...this.#asked('desk', ticketId), ...note }))
    for (const name of ['added', 'removed'] as const)
      await this.#done(addTicketPerson(context, { ...this.#asked('desk', ticketId), userId: this.idOf(name) }))
    await this.remove('removed', ticketId)
    return { ticketId, sent, noted, unsent: await this.file('opener', 'unsent') }
  }

  remove(name: TicketCallerName, ticketId: string): Promise<void> {
    const asked = { ...this.#asked('desk', ticketId), userId: this.idOf(name) }
    return this.#done(removeTicketPerson(this.connected.context, asked))
  }

  close(ticketId: string): Promise<void> {
    return this.#done(closeOrReopen(this.connected.context, { ...this.#asked('desk', ticketId), act: 'close' }))
  }

  /** Merges a ticket into a new one of its opener, and returns the other one. */
  async merge(ticketId: string): Promise<string> {
    const intoId = await this.opened({ message: 'The other one' })
    await this.#done(mergeTicket(this.connected.context, { ...this.#asked('desk', ticketId), intoId }))
    return intoId
  }

  /** Everything of tickets that a call could change or tell, as text. */
  async everything(): Promise<unknown> {
    const rows = []
    for (const table of [
      'tickets',
      'ticket_messages',
      'ticket_people',
      'ticket_reads',
      'ticket_attachments',
      'notifications',
    ])
      rows.push(await this.connected.database.owner.query(`select md5(t::text) from control.${table} t order by 1`))
    return rows
  }

  end(): Promise<void> {
    return this.connected.close()
  }
}
