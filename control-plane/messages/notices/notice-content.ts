import { CRASH_LINE_LENGTH, CRASH_LINES } from '#contracts/agent/session.ts'
import { MailContent } from '#contracts/mail/mail.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import type { Notification } from '#contracts/http/notification.ts'
import { isMatrixKey } from '#domain/notifications/matrix.ts'
import { noticePath, UNKNOWN_NAME } from '#domain/notifications/notice-link.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { linesOfLastCrash } from './last-crash.ts'

/** The stored part of a notification. */
export type StoredNotice = Pick<Notification, 'text' | 'data'> & { readonly userId: string }

const SERVERS_PAGE = '/dashboard/servers'

/** People choose these names: in a mail they are one line without marks that change the writing direction. */
const lineOf = (text: string, maxLength: number): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, maxLength) || UNKNOWN_NAME

/** An address in a log is anybody's: no mail program makes it a link. */
const mailedLines = async (sql: Sql, serverId: string): Promise<string[]> =>
  (await linesOfLastCrash(sql, serverId))
    .filter((line) => /\S/.test(line))
    .map((line) => lineOf(line, CRASH_LINE_LENGTH).replaceAll('://', ':/\u2060/'))
    .slice(-CRASH_LINES)

const mailedTitle = ({ hu, en, de }: LocalizedText): LocalizedText => ({
  hu: lineOf(hu, 200),
  en: lineOf(en, 200),
  de: lineOf(de, 200),
})

/** Only who opened a ticket can reopen it. */
const hasOpened = async (sql: Sql, userId: string, ticketId: string | undefined): Promise<boolean> => {
  const found = await sql.query('select 1 from control.tickets where id = $1 and opener_id = $2', [
    ticketId ?? null,
    userId,
  ])
  return found.length > 0
}

/**
 * The content of a notification for mail and push, with the server's current name and the page to open. Undefined for a
 * notification without these channels, or without its amount.
 */
export async function noticeContent(sql: Sql, { userId, text, data }: StoredNotice): Promise<MailContent | undefined> {
  if (!isMatrixKey(text)) return undefined
  const [server] = await sql.query<{ name: string; owner_id: string }>(
    'select name, owner_id from control.servers where id = $1 and deleted_at is null',
    [data.sid ?? null],
  )
  const isListed = server?.owner_id === userId
  const page = noticePath({ text, sid: data.sid, isListed, ticketId: data.ticketId, count: data.count })
  // A ticket that the person sees no more.
  if (page === null && data.aboutTicketId !== undefined) return undefined
  const path = page ?? SERVERS_PAGE
  const name = lineOf(server?.name ?? data.name ?? UNKNOWN_NAME, 100)
  const crashLines = text === 'server.crashed' && isListed ? await mailedLines(sql, data.sid ?? '') : []
  const reopening = text === 'ticket.closed' && (await hasOpened(sql, userId, data.ticketId)) ? { reopens: true } : {}
  const ticket = {
    title: lineOf(data.title ?? UNKNOWN_NAME, 200),
    person: lineOf(data.person ?? UNKNOWN_NAME, 32),
    path,
  }
  const params = {
    'server.installed': { server: name, product: lineOf(data.product ?? name, 200), path },
    'purchase.success': {
      server: name,
      product: lineOf(data.product ?? name, 200),
      amountFt: data.amount,
      ...(data.purchase ? { purchase: data.purchase } : {}),
      path,
    },
    'server.expired': { server: name, ...(data.isTest ? { isTest: data.isTest } : {}), path },
    'server.crashed': {
      server: name,
      path,
      ...(data.again ? { again: data.again } : {}),
      ...(data.error ? { error: data.error } : {}),
      ...(data.staffError ? { staffError: mailedTitle(data.staffError) } : {}),
      ...(crashLines.length > 0 ? { lines: crashLines } : {}),
    },
    'server.storage-filling': { server: name, path },
    'server.invited': { server: name, person: lineOf(data.person ?? UNKNOWN_NAME, 32), path },
    'renewal.missing': { server: name, amountFt: data.amount, path },
    'topup.failed': { amountFt: data.amount, path },
    'topup.successful': { amountFt: data.amount, path },
    'premium.expired': { tier: lineOf(data.product ?? UNKNOWN_NAME, 40), path },
    'refund.sent': { amountFt: data.amount, debtFt: data.debt ?? 0, path },
    'refund.failed': { amountFt: data.amount, path },
    'refund.size': { server: name, amountFt: data.amount, path },
    'server.package-changed': { server: name, amountFt: data.amount, path },
    'payment.taken-back': { amountFt: data.amount, debtFt: data.debt ?? 0, path },
    // Its mail has the replies themselves and is written by the tickets; this is the push.
    'ticket.reply': { ...ticket, replies: [] },
    'ticket.added': ticket,
    'ticket.closed': { ...ticket, ...(data.rates ? { rates: data.rates } : {}), ...reopening },
    'ticket.assigned': ticket,
    'ticket.opened': { ...ticket, ...(data.count === undefined ? {} : { count: data.count }) },
  }[text]
  return MailContent.safeParse({ kind: text, params }).data
}
