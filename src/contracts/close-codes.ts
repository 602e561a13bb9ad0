/** Close codes of our sockets. Codes from 4400 do not reconnect; the rest of the list is the specification's (section 4). */
export const CLOSE_CODES = {
  restart: 1012,
  tryAgainLater: 1013,
  ended: 4401,
  forbidden: 4403,
  tooManySockets: 4429,
  slow: 4408,
  suspended: 4409,
  superseded: 4410,
  protocol: 4400,
} as const

/** Codes after which a client reconnects with exponential back-off, besides any unclean close. */
export const RECONNECT_CODES: readonly number[] = [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015]
export const RECONNECT = { firstDelayMs: 1_000, factor: 2, maxDelayMs: 8_000, maxAttempts: 10 } as const
