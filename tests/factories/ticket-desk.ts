import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { systemIds } from '#platform/ids.ts'
import { answerTicket } from '../../control-plane/tickets/answer-ticket.ts'
import { openTicket } from '../../control-plane/tickets/open-ticket.ts'
import type { TicketCaller } from '../../control-plane/tickets/reach-ticket.ts'
import { noScanner } from './virus-scanners.ts'
import { platformDatabase, testContext, type PlatformDatabase } from './platform-database.ts'

type Opening = Parameters<typeof openTicket>[1]['request']

/** A database with one category of tickets, and people on both sides of it. */
export class TicketDesk {
  nowMs = Date.UTC(2026, 10, 20, 19, 30)
  scanner: VirusScanner = noScanner
  readonly database: PlatformDatabase
  readonly categoryId: string
  #people = 0

  private constructor(database: PlatformDatabase, categoryId: string) {
    this.database = database
    this.categoryId = categoryId
  }

  static async open(): Promise<TicketDesk> {
    const desk = new TicketDesk(await platformDatabase(), systemIds.next())
    await desk.category(desk.categoryId)
    return desk
  }

  async category(id = systemIds.next(), name = 'Billing'): Promise<string> {
    const names = JSON.stringify({ en: name, hu: name, de: name })
    await this.database.owner.query('insert into cms_api.ticket_categories (id, name) values ($1, $2)', [id, names])
    return id
  }

  context() {
    return { ...testContext(this.database.db), clock: { now: () => this.nowMs }, scanner: this.scanner }
  }

  async person(facts: Partial<TicketCaller> = {}): Promise<TicketCaller> {
    const userId = systemIds.next()
    this.#people += 1
    await this.database.owner.query(
      `insert into cms_api.people (id, username, identifier, email) values ($1, $2, 'acdefghj', $2 || '@example.test')`,
      [userId, `person-${this.#people}`],
    )
    return { userId, isAdmin: false, isSupport: false, locale: 'en', ...facts }
  }

  /** Somebody who works on a category. */
  async worker(categoryId = this.categoryId): Promise<TicketCaller> {
    const caller = await this.person({ isSupport: true })
    await this.database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [caller.userId, categoryId])
    return caller
  }

  async opened(caller: TicketCaller, request: Partial<Opening> = {}): Promise<string> {
    const result = await openTicket(this.context(), {
      caller: { ...caller, isVerified: true },
      request: { title: 'Help', categoryId: this.categoryId, message: 'Please', ...request },
      key: systemIds.next(),
      requestId: 'req-1',
    })
    if (!result.ok) throw new Error(result.code)
    return result.answer.ticketId
  }

  say(
    caller: TicketCaller,
    ticketId: string,
    said: Partial<Pick<Parameters<typeof answerTicket>[1], 'kind' | 'text' | 'key' | 'attachmentIds'>> = {},
  ) {
    const line = { kind: 'message' as const, text: 'Yes', key: systemIds.next(), ...said }
    return answerTicket(this.context(), { caller, ticketId, requestId: 'req-1', ...line })
  }

  /** Files of two days ago, which leave so many bytes of what the account may add. */
  async filled({ userId }: TicketCaller, { leaving }: { leaving: number }): Promise<void> {
    const { bytes, perAccount } = ATTACHMENT_BOUNDS
    await this.database.owner.query(
      `with whole as materialized (select convert_to(repeat('a', $2::integer), 'UTF8') as bytes)
       insert into control.ticket_attachments (id, author_id, name, kind, media_type, bytes, created_at)
       select gen_random_uuid(), $1, 'old.txt', 'text', 'text/plain',
         case at when 1 then substr(whole.bytes, 1, $2::integer - $4::integer) else whole.bytes end, $5
       from whole, generate_series(1, $3::integer) at`,
      [userId, bytes, perAccount / bytes, leaving, new Date(this.nowMs - 2 * 86_400_000)],
    )
  }

  close(): Promise<void> {
    return this.database.close()
  }
}
