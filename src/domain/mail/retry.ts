import { retryAfter, type FailedTry, type Retry } from '../kernel/retry.ts'

/** A mail server may be down for a day; after that somebody has to look. */
export const MAX_MAIL_TRIES = 36

/** When a mail that could not be delivered is retried, if at all. */
export const retryMail = (failed: FailedTry): Retry => retryAfter(failed, { maxTries: MAX_MAIL_TRIES })
