import { retryAfter } from '#domain/kernel/retry.ts'
import type { Context } from '../../platform/context.ts'
import { enqueueAll } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { tryOnce, type Claim, type Sending, type TryEnd } from '../../messages/sending/one-try.ts'
import { revive } from '../../messages/sending/revive.ts'
import { HandOverFailure, type InvoiceProvider } from './invoice-provider.ts'
import { readInvoice } from './read-invoices.ts'

type Row = { sends: number }
type Deps = Context & { readonly invoiceProvider: InvoiceProvider }

/** The provider may be down for days; after that somebody has to look. */
export const HAND_OVER_LIFE_MS = 14 * 86_400_000
const MAX_TRIES = 400
/** The provider asks clients not to send the same document more often. */
const MAX_SENDS = 5
/** A document that was sent without a response may still be issued: it is not sent again before this. */
const SETTLES_MS = 5 * 60_000

const HAND_OVERS: Sending = {
  name: 'invoice',
  table: 'control.invoice_hand_overs',
  leaseMs: 180_000,
  columns: 'sends',
  enqueue: (tx, deps, { tasks, ...due }) =>
    enqueueAll(tx, deps, {
      topic: 'invoice-hand-over',
      tasks: tasks.map(({ id, requestId }) => ({ payload: { invoiceId: id }, requestId })),
      ...due,
    }),
}

/** Queues a document for the external provider, inside the transaction that issues it. */
export async function letHandOver(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { invoiceId, requestId }: { invoiceId: string; requestId: string },
): Promise<void> {
  const nowMs = context.clock.now()
  await tx.query(
    `insert into control.invoice_hand_overs (id, next_try_at, expires_at, request_id, created_at) values ($1, $2, $3, $4, $2)`,
    [invoiceId, new Date(nowMs), new Date(nowMs + HAND_OVER_LIFE_MS), requestId],
  )
  await HAND_OVERS.enqueue(tx, context, { tasks: [{ id: invoiceId, requestId }] })
}

/**
 * One attempt to hand a document to the provider; idempotent. Neither the wallet nor our own numbering waits for it.
 */
export async function handInvoiceOver(deps: Deps, invoiceId: string): Promise<void> {
  const tried = await tryOnce<Row>(deps, HAND_OVERS, {
    id: invoiceId,
    attempt: (claim, isStillOurs) => attempt(deps, claim, isStillOurs).catch((error) => judge(deps, claim, error)),
  })
  if (!tried || tried.end.kind === 'lost') return
  const line = { invoiceId, tries: tried.claim.tries, requestId: tried.claim.requestId, end: tried.end.kind }
  if (tried.end.kind === 'sent') return deps.log.info(line, 'invoice handed over')
  const failure = 'failure' in tried.end ? tried.end.failure : ''
  if (tried.end.kind === 'failed')
    deps.log.error({ ...line, failure }, 'an invoice needs a person: it is not handed over')
  else deps.log.warn({ ...line, failure }, 'invoice not handed over, it is tried again')
}

async function attempt(
  { db, invoiceProvider }: Deps,
  { id, tries }: Claim<Row>,
  isStillOurs: () => Promise<boolean>,
): Promise<TryEnd> {
  const document = await readInvoice(db, id)
  if (!document) return { kind: 'gone' }
  const original = document.stornoOf ?? document.correctionOf
  const { number } = await invoiceProvider.handOver({
    document,
    originalNumber: original ? await providerNumberOf(db, original.id) : null,
    maySend: async () => {
      if (!(await isStillOurs())) return false
      const counted = await db.query(
        `update control.invoice_hand_overs set sends = sends + 1 where id = $1 and tries = $2 and sends < $3 returning 1`,
        [id, tries, MAX_SENDS],
      )
      return counted.length > 0
    },
  })
  await db.query('update control.invoice_hand_overs set provider_number = $2 where id = $1', [id, number])
  return { kind: 'sent' }
}

async function providerNumberOf(sql: Sql, id: string): Promise<string | null> {
  const [row] = await sql.query<{ provider_number: string | null }>(
    'select provider_number from control.invoice_hand_overs where id = $1',
    [id],
  )
  return row?.provider_number ?? null
}

function judge({ clock, log }: Deps, { id, tries, expiresAtMs, requestId }: Claim<Row>, error: unknown): TryEnd {
  if (!(error instanceof HandOverFailure)) throw error
  const { kind, code } = error
  if (kind === 'permanent') return { kind: 'failed', failure: code }
  if (kind === 'configuration') {
    log.error(
      { invoiceId: id, failure: code, requestId },
      'invoices are not taken: the settings of the provider need a look',
    )
  }
  const atLeastMs = kind === 'unknown' ? SETTLES_MS : 0
  const retry = retryAfter({ tries, nowMs: clock.now(), expiresAtMs }, { maxTries: MAX_TRIES, atLeastMs })
  return retry.again
    ? { kind: 'again', failure: code, atMs: retry.atMs }
    : { kind: 'failed', failure: `${retry.reason}: ${code}` }
}

/** Creates a new task for each document that is due and has no sender. Returns their number. */
export const reviveHandOvers = (deps: Pick<Context, 'db' | 'ids' | 'clock'>): Promise<number> =>
  revive(deps, HAND_OVERS)
