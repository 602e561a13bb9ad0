import type { Notification } from '#contracts/http/notification.ts'
import { noticePath, UNKNOWN_NAME } from '#domain/notifications/notice-link.ts'
import { siteTimeZone } from '@/i18n/locales.ts'
import type { LampKind } from '@/ui/signs/lamp.tsx'

export type NoticeKey = Notification['text']
type KnownServer = { readonly id: string; readonly name: string }
export type NoticeView<Server extends KnownServer> = {
  /** The server's name in the reader's list, else in the notification, else UNKNOWN (section 8). */
  readonly name: string
  readonly server: Server | undefined
  /** Its link; null if there is nothing left to see. */
  readonly link: string | null
  readonly lamp: LampKind
}

const lamps: Readonly<Record<NoticeKey, LampKind>> = {
  'server.installed': 'done',
  'purchase.success': 'done',
  'server.expired': 'off',
  'topup.failed': 'crash',
  'topup.successful': 'done',
  'refund.sent': 'done',
  'refund.failed': 'due',
  'refund.size': 'due',
  'server.package-changed': 'done',
  'payment.taken-back': 'crash',
  'order.failed': 'crash',
  'server.crashed': 'crash',
  'server.storage-filling': 'due',
  'server.moved': 'due',
  'server.expiring': 'due',
  'server.invited': 'due',
  'server.joined': 'done',
  'server.declined': 'off',
  'server.access-ended': 'off',
  'renewal.missing': 'due',
  'premium.expired': 'off',
  'withdrawal.confirmed': 'done',
  'server.refunded': 'done',
  'balance.corrected': 'done',
  'security.codes': 'crash',
  'ticket.reply': 'done',
  'ticket.customer-reply': 'due',
  'ticket.merged': 'done',
  'ticket.taken': 'off',
  'ticket.moved': 'off',
  'ticket.merged-away': 'off',
  'ticket.added': 'done',
  'ticket.closed': 'done',
  'ticket.assigned': 'due',
  'ticket.opened': 'due',
}

/** A notification's text and link, by the reader's current servers. */
export const noticeViewOf = <Server extends KnownServer>(
  notice: Pick<Notification, 'text' | 'data'>,
  servers: readonly Server[],
): NoticeView<Server> => {
  const server = notice.data.sid === undefined ? undefined : servers.find(({ id }) => id === notice.data.sid)
  return {
    name: server?.name ?? notice.data.name ?? UNKNOWN_NAME,
    server,
    link: noticePath({ ...notice.data, text: notice.text, isListed: server !== undefined }),
    lamp: lamps[notice.text],
  }
}

const dayOf = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment)

/** Notifications of today, and older ones; both keep their order. */
export const byDay = <Notice extends { createdAt: string }>(
  notices: readonly Notice[],
  now: Date,
  timeZone: string = siteTimeZone,
): { today: readonly Notice[]; earlier: readonly Notice[] } => {
  const today = dayOf(now, timeZone)
  const isToday = ({ createdAt }: Notice) => dayOf(new Date(createdAt), timeZone) === today
  return { today: notices.filter(isToday), earlier: notices.filter((notice) => !isToday(notice)) }
}
