/** One class of routes shares one bucket. `rate` requests in `seconds`; `burst` is what an idle key may use at once. */
export type RouteLimit = {
  readonly key: 'address' | 'account' | 'address-and-account'
  readonly rate: number
  readonly seconds: number
  readonly burst: number
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
  register: { key: 'address', rate: 10, seconds: 3_600, burst: 10 },
  refresh: { key: 'address', rate: 120, seconds: 60, burst: 120 },
  gatewayTicket: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  consoleToken: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  order: { key: 'account', rate: 30, seconds: 60, burst: 30 },
  topup: { key: 'account', rate: 30, seconds: 600, burst: 30 },
  quote: { key: 'account', rate: 120, seconds: 60, burst: 120 },
  power: { key: 'account', rate: 60, seconds: 60, burst: 60 },
  read: { key: 'account', rate: 600, seconds: 60, burst: 600 },
  errorReport: { key: 'address', rate: 10, seconds: 60, burst: 10 },
  publicRead: { key: 'address', rate: 600, seconds: 60, burst: 600 },
} as const satisfies Record<string, RouteLimit>

export type RouteClass = keyof typeof ROUTE_LIMITS
