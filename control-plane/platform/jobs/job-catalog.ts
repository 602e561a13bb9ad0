import * as z from 'zod'
import { OUTBOX_TOPICS, type EventTopic, type OutboxTopic } from '../outbox-topics.ts'
import { Nothing } from '#contracts/primitives.ts'
import type { Logger } from '#platform/logger.ts'

export type JobEntry = {
  readonly schema: z.ZodType
  readonly attempts: number
  readonly backoffMs: number
  /** Set for a scheduled job. A run that takes longer is not overlapped by the next. */
  readonly everyMs?: number
  /** The task only reports past events: orders, payments and sign-ins do not wait behind thousands of these. */
  readonly canWait?: boolean
}

/** All jobs: a name outside this table can be neither queued nor run. */
export const JOB_CATALOG = {
  'provision-server': {
    schema: OUTBOX_TOPICS['provision-server'],
    attempts: 10,
    backoffMs: 1_000,
  },
  'order-settle': { schema: OUTBOX_TOPICS['order-settle'], attempts: 20, backoffMs: 500 },
  'payment-check': { schema: OUTBOX_TOPICS['payment-check'], attempts: 12, backoffMs: 2_000 },
  // Each run is one attempt; the mail's row says when the next is due.
  'mail-send': { schema: OUTBOX_TOPICS['mail-send'], attempts: 5, backoffMs: 2_000 },
  'invoice-mail': {
    schema: OUTBOX_TOPICS['invoice-mail'],
    attempts: 12,
    backoffMs: 2_000,
    canWait: true,
  },
  'invoice-hand-over': {
    schema: OUTBOX_TOPICS['invoice-hand-over'],
    attempts: 5,
    backoffMs: 2_000,
    canWait: true,
  },
  'invoice-waiting': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  /** VAT numbers of changed profiles, and those with an old result. */
  'vat-check': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 30_000 },
  'mail-revive': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  /** Replies of tickets that stayed unread. */
  'ticket-mails': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 30_000 },
  /** Reads the mailbox, if there is one. */
  'mail-inbox': { schema: Nothing, attempts: 1, backoffMs: 1_000, everyMs: 20_000 },
  'notice-tell': {
    schema: OUTBOX_TOPICS['notice-tell'],
    attempts: 12,
    backoffMs: 2_000,
    canWait: true,
  },
  // Each run is one attempt; the push's row says when the next is due.
  'push-send': { schema: OUTBOX_TOPICS['push-send'], attempts: 5, backoffMs: 2_000 },
  'notice-revive': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  'payment-reconcile': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  'premium-cycle': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  'hold-expiry': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  /** Paid sizes that their node rejects. */
  'rejected-sizes': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  /** Reminders, automatic renewals, expiries and deletions that are due. */
  'server-lifetime': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 60_000 },
  /** Reads everything since its last clean run: a forged movement is found within five minutes. */
  'ledger-audit': { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 300_000 },
  /** Reads all entries. */
  'ledger-audit-whole': { schema: Nothing, attempts: 3, backoffMs: 60_000, everyMs: 86_400_000 },
  housekeeping: { schema: Nothing, attempts: 3, backoffMs: 1_000, everyMs: 600_000 },
} as const satisfies Record<Exclude<OutboxTopic, EventTopic>, JobEntry> & Record<string, JobEntry>

export type JobName = keyof typeof JOB_CATALOG
export type JobPayload<Name extends JobName> = z.infer<(typeof JOB_CATALOG)[Name]['schema']>

/** The envelope of a queued task: the request id follows an order through every program's logs. */
export const JobEnvelope = z.object({ requestId: z.string(), payload: z.unknown() })

export const isJobName = (name: string): name is JobName => Object.hasOwn(JOB_CATALOG, name)

export type JobInfo = {
  readonly id: string
  readonly requestId: string
  readonly attempt: number
  readonly log: Logger
}

/** One function per job of the catalog. It calls a use case and decides nothing. */
export type Processors = {
  readonly [Name in JobName]: (payload: JobPayload<Name>, job: Pick<JobInfo, 'requestId'>) => Promise<unknown>
}
