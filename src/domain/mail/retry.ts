import { retryAfter, type FailedTry, type Retry } from '../kernel/retry.ts'

/** A mail server may be down for a day; after that somebody has to look. */
export const MAX_MAIL_TRIES = 36

/** When a mail that could not be handed to the mail server is tried again, if at all. */
export const retryMail = (failed: FailedTry): Retry => retryAfter(failed, { maxTries: MAX_MAIL_TRIES })
