import { guidePath, GUIDE_TOPICS } from '#contracts/guides/topics.ts'

/** The reader of a screen. `customer` has a server, `newcomer` has nothing yet. */
export type Reader = 'visitor' | 'customer' | 'newcomer' | 'administrator'

export interface Screen {
  readonly reader: Reader
  /** Its address without a language; `{server}` is the id of the customer's server, `{ticket}` that of a ticket, `{category}` and `{reply}` those of the ticket system. */
  readonly path: string
}

const of = (reader: Reader, paths: readonly string[]): readonly Screen[] => paths.map((path) => ({ reader, path }))

const VISITORS = [
  '/',
  '/blog',
  '/blog/how-much-memory-for-minecraft',
  '/blog/tag/minecraft',
  '/blog/page/2',
  '/changes',
  '/documents/terms',
  '/documents/privacy',
  '/test',
  '/no-such-page',
  '/log/no-such-log',
  '/auth/login',
  '/auth/register',
  '/auth/passwordreset',
  '/auth/passwordreset?token=none',
  '/auth/email?undo=none',
  '/auth/deletion?token=none',
  '/auth/logout',
]
const CUSTOMERS = [
  '/dashboard/summary',
  '/dashboard/services',
  '/dashboard/services/game',
  '/dashboard/services/game?rent=bot',
  '/dashboard/services/vps',
  '/dashboard/servers',
  '/dashboard/balance/summary',
  '/dashboard/balance/invoices',
  '/dashboard/balance/ok',
  '/dashboard/balance/card',
  '/dashboard/settings',
  '/dashboard/settings/security',
  '/dashboard/settings/notifications',
  '/dashboard/settings/account',
  '/dashboard/activities',
  '/dashboard/premium',
  '/dashboard/spin',
  '/dashboard/tickets',
  '/dashboard/ticket',
  '/dashboard/ticket/{ticket}',
  ...GUIDE_TOPICS.map((topic) => guidePath(topic)),
  '/dashboard/no-such-page',
  '/panel/{server}/console',
  '/panel/{server}/files',
  '/panel/{server}/networks',
  '/panel/{server}/startup',
  '/panel/{server}/activities',
  '/panel/{server}/settings',
]
const NEWCOMERS = [
  '/dashboard/summary',
  '/dashboard/servers',
  '/dashboard/balance/summary',
  '/dashboard/balance/invoices',
  '/auth/verify',
]
const ADMINISTRATORS = [
  'transactions',
  'payments',
  'unmatched',
  'credits',
  'debts',
  'invoices',
  'servers',
  'ledger',
  'clock',
].map((page) => `/admin/money/${page}`)
const STAFF_TICKETS = ['/admin/tickets', '/admin/tickets/figures', '/admin/ticket/{ticket}', '/admin/categories']
/** Lists and forms of the ticket system in the CMS; `{category}` and `{reply}` are the oldest of each. */
const TICKET_COLLECTIONS = [
  '/admin/collections/ticket-categories/{category}',
  '/admin/collections/canned-replies',
  '/admin/collections/canned-replies/{reply}',
]

/** Every screen of ours. A page that is missing here fails `unit/support/screens`. */
export const SCREENS: readonly Screen[] = [
  ...of('visitor', VISITORS),
  ...of('customer', CUSTOMERS),
  ...of('newcomer', NEWCOMERS),
  ...of('administrator', [...ADMINISTRATORS, ...STAFF_TICKETS, ...TICKET_COLLECTIONS]),
]

export const screensOf = (...readers: readonly Reader[]): readonly string[] =>
  SCREENS.filter(({ reader }) => readers.includes(reader)).map(({ path }) => path)
