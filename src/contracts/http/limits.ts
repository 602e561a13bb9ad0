/**
 * One class of routes shares one bucket. `rate` requests in `seconds`; `burst` is the number at once for an idle key.
 */
export type RouteLimit = {
  readonly key: 'address' | 'account' | 'address-and-account'
  readonly rate: number
  readonly seconds: number
  readonly burst: number
  /**
   * Reads are cheap, so each site counts them in its own memory: two sites allow twice as many. Everything that hashes,
   * writes, mails, moves money or issues tokens is counted in the store that all sites share.
   */
  readonly counted?: 'in memory'
}

/**
 * The one table of limits (architecture section 5). They apply before any password is hashed. An address is the rightmost
 * untrusted hop of TRUSTED_PROXIES; IPv6 counts by /64. Login has a row for each key so that neither a single address nor a
 * spread attack on one account gets through, and an attacker cannot lock the owner out of a device that already signed in.
 */
export const ROUTE_LIMITS = {
  login: { key: 'address', rate: 20, seconds: 300, burst: 20 },
  loginAccount: { key: 'address-and-account', rate: 10, seconds: 900, burst: 10 },
  loginAccountGlobal: { key: 'account', rate: 60, seconds: 3_600, burst: 60 },
  factorAccount: { key: 'address-and-account', rate: 10, seconds: 900, burst: 10 },
  factorAccountGlobal: { key: 'account', rate: 20, seconds: 3_600, burst: 20 },
  /**
   * Guesses at a code of six digits, whose chance has to stay small however many addresses take part. Strangers and
   * devices that signed in before have a count each, so that strangers cannot lock the owner out.
   */
  codeGuessStranger: { key: 'account', rate: 8, seconds: 86_400, burst: 7 },
  codeGuessKnown: { key: 'account', rate: 8, seconds: 86_400, burst: 7 },
  /** How often the owner of an account is notified that somebody guesses at its codes. */
  codeGuessNotice: { key: 'account', rate: 1, seconds: 86_400, burst: 1 },
  passkey: { key: 'address', rate: 40, seconds: 300, burst: 40 },
  factorSettings: { key: 'account', rate: 30, seconds: 600, burst: 30 },
  notificationSettings: { key: 'account', rate: 120, seconds: 600, burst: 60 },
  settings: { key: 'account', rate: 60, seconds: 600, burst: 60 },
  picture: { key: 'account', rate: 20, seconds: 600, burst: 20 },
  register: { key: 'address', rate: 10, seconds: 3_600, burst: 10 },
  /** Codes and links from mails. */
  proof: { key: 'address', rate: 30, seconds: 600, burst: 30 },
  /** The wait between two codes; the page shows it. */
  resendCode: { key: 'account', rate: 1, seconds: 60, burst: 1 },
  /** Codes for one account. Mails to a mailbox from all accounts together are counted apart (identity/mails). */
  codeMails: { key: 'account', rate: 3, seconds: 3_600, burst: 3 },
  /** Other mails of one account that its sign-ins and settings cause. */
  mailAccount: { key: 'account', rate: 10, seconds: 3_600, burst: 10 },
  resetAddress: { key: 'address', rate: 15, seconds: 3_600, burst: 15 },
  resetMailbox: { key: 'address-and-account', rate: 3, seconds: 900, burst: 3 },
  /** A whole export reads every table. */
  dataExport: { key: 'account', rate: 6, seconds: 3_600, burst: 6 },
  refresh: { key: 'address', rate: 120, seconds: 60, burst: 120 },
  gatewayTicket: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  consoleToken: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  /** One for each download, and one for ten minutes of other work. */
  nodeToken: { key: 'account', rate: 120, seconds: 60, burst: 120 },
  /** Moves in the list of servers: each step of a key is one. */
  arranging: { key: 'account', rate: 300, seconds: 60, burst: 300 },
  /** Each open panel notes once a minute that its reader is there. */
  visit: { key: 'account', rate: 120, seconds: 60, burst: 120 },
  /** Changes of shares. Invitations are also counted for the owner of the server (`INVITES_PER_HOUR`). */
  sharing: { key: 'account', rate: 60, seconds: 600, burst: 60 },
  /** New tickets: each is read by a person. */
  ticket: { key: 'account', rate: 20, seconds: 3_600, burst: 10 },
  /** Messages and changes of tickets. */
  ticketMessage: { key: 'account', rate: 60, seconds: 600, burst: 30 },
  /** Files for messages, of up to 10 MiB each. */
  attachment: { key: 'account', rate: 60, seconds: 600, burst: 30 },
  attachmentFile: { key: 'account', rate: 120, seconds: 60, burst: 60 },
  order: { key: 'account', rate: 30, seconds: 60, burst: 30 },
  topup: { key: 'account', rate: 30, seconds: 600, burst: 30 },
  quote: { key: 'account', rate: 120, seconds: 60, burst: 120 },
  /** Rendering a document costs processor time. */
  invoiceFile: { key: 'account', rate: 30, seconds: 60, burst: 30 },
  spin: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  /** Prevents guessing of codes. */
  spinCoupon: { key: 'account', rate: 30, seconds: 600, burst: 30 },
  /** Each one opens a connection to a node. */
  portCheck: { key: 'account', rate: 30, seconds: 60, burst: 10 },
  /** Facts about a server for a ticket: each look asks a node for its log and keeps the shown facts. */
  serverContext: { key: 'account', rate: 30, seconds: 60, burst: 20 },
  power: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  staffRead: { key: 'account', rate: 600, seconds: 60, burst: 600, counted: 'in memory' },
  staffAct: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  read: { key: 'account', rate: 600, seconds: 60, burst: 600, counted: 'in memory' },
  errorReport: { key: 'address', rate: 10, seconds: 60, burst: 10, counted: 'in memory' },
  /** Each open page polls every three seconds; many readers may share an address. */
  messages: { key: 'address', rate: 2_400, seconds: 60, burst: 2_400, counted: 'in memory' },
  /** Shared logs, by whoever has a link. Each one costs the control plane a read of its own, and nobody guesses tokens at leisure. */
  sharedLog: { key: 'address', rate: 60, seconds: 60, burst: 60, counted: 'in memory' },
  publicRead: { key: 'address', rate: 600, seconds: 60, burst: 600, counted: 'in memory' },
} as const satisfies Record<string, RouteLimit>

export type RouteClass = keyof typeof ROUTE_LIMITS
