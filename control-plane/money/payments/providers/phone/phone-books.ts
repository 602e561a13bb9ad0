import type { Context } from '../../../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { NewPayment } from '../../payment-provider.ts'
import type { PhoneMessage } from './phone-message.ts'

type Books = Pick<Context, 'db' | 'clock'>

export type PhonePayment = {
  readonly code: string
  readonly payment_id: string
  readonly kind: 'premium-sms' | 'premium-call'
  readonly number: string
  readonly paid_ft: bigint
  readonly credited_ft: bigint
  readonly message_id: string | null
  readonly expires_at: Date
}

export type StoredMessage = {
  readonly message_id: string
  readonly code: string | null
  readonly gross_ft: bigint
  readonly forwarded_ft: bigint
  readonly currency: string
  readonly state: PhoneMessage['state']
}

const PAYMENT = `select code, payment_id, kind, number, paid_ft, credited_ft, message_id, expires_at from control.phone_payments`

/** The offer of a payment; a repetition returns the first one. */
export async function offer(
  { db, clock }: Books,
  payment: NewPayment,
  offered: { code: string; kind: PhonePayment['kind']; number: string; windowMs: number },
): Promise<PhonePayment | undefined> {
  await db.query(
    `insert into control.phone_payments (code, payment_id, kind, number, paid_ft, credited_ft, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (payment_id) do nothing`,
    [
      offered.code,
      payment.paymentId,
      offered.kind,
      offered.number,
      payment.amount.minor.toString(),
      payment.credited.minor.toString(),
      new Date(clock.now() + offered.windowMs),
      new Date(clock.now()),
    ],
  )
  const [row] = await db.query<PhonePayment>(`${PAYMENT} where payment_id = $1`, [payment.paymentId])
  return row
}

export async function findOffer(sql: Sql, code: string): Promise<PhonePayment | undefined> {
  const [row] = await sql.query<PhonePayment>(`${PAYMENT} where code = $1`, [code])
  return row
}

const MESSAGE = 'select message_id, code, gross_ft, forwarded_ft, currency, state from control.phone_messages'

export async function findMessage(sql: Sql, messageId: string): Promise<StoredMessage | undefined> {
  const [row] = await sql.query<StoredMessage>(`${MESSAGE} where message_id = $1`, [messageId])
  return row
}

/** Messages with the code of an offer, in order of arrival. */
export const messagesOf = (sql: Sql, code: string): Promise<StoredMessage[]> =>
  sql.query<StoredMessage>(`${MESSAGE} where code = $1 order by received_at, message_id`, [code])

const RANK_OF = (row: string): string =>
  `array_position(array['received', 'rejected', 'billed', 'charged_back'], ${row}.state)`
/**
 * The billed amounts count, whatever was reported on receipt; a charge-back reports the reversed amount, which is all
 * that was billed.
 */
const BILLS = `(excluded.state = 'billed' or (excluded.state = 'charged_back' and m.state in ('received', 'rejected')))`

/**
 * Stores a message with a verified sender. Its state only moves forward, whatever the order of reports, and its amounts
 * are the billed ones; a repeated bill with other amounts replaces them, and then no longer matches the payment. The
 * first billed message of an offer pays it. Returns the offer of this message, or undefined.
 */
export function keepMessage(
  { db, clock }: Books,
  message: PhoneMessage,
  code: string | undefined,
): Promise<PhonePayment | undefined> {
  return db.transaction(async (tx) => {
    const [locked] =
      code === undefined ? [] : await tx.query<PhonePayment>(`${PAYMENT} where code = $1 for update`, [code])
    const now = new Date(clock.now())
    await tx.query(
      `insert into control.phone_messages as m (message_id, code, kind, gross_ft, forwarded_ft, currency, state, sender_tail,
         received_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       on conflict (message_id) do update set updated_at = excluded.updated_at,
         state = case when ${RANK_OF('m')} < ${RANK_OF('excluded')} then excluded.state else m.state end,
         gross_ft = case when ${BILLS} then excluded.gross_ft else m.gross_ft end,
         forwarded_ft = case when ${BILLS} then excluded.forwarded_ft else m.forwarded_ft end,
         currency = case when ${BILLS} then excluded.currency else m.currency end
         where ${RANK_OF('m')} < ${RANK_OF('excluded')} or ${BILLS}`,
      [
        message.messageId,
        locked?.code ?? null,
        message.kind,
        message.grossFt,
        message.forwardedFt,
        message.currency,
        message.state,
        message.senderTail,
        now,
      ],
    )
    if (!locked) return undefined
    if (message.state === 'billed' || message.state === 'charged_back') {
      await tx.query('update control.phone_payments set message_id = coalesce(message_id, $2) where code = $1', [
        locked.code,
        message.messageId,
      ])
    }
    const [after] = await tx.query<PhonePayment>(`${PAYMENT} where code = $1`, [locked.code])
    return after
  })
}
