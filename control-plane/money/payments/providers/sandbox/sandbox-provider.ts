import * as z from 'zod'
import { Locale } from '#contracts/locale.ts'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { MAX_TOP_UP_FT, MIN_TOP_UP_FT } from '#domain/payments/top-up.ts'
import { AppError } from '../../../../platform/app-error.ts'
import type { Context } from '../../../../platform/context.ts'
import type { Hints, NewPayment, ObservedPayment, OpenedPayment, PaymentProvider } from '../../payment-provider.ts'

export const SANDBOX_ID = 'sandbox'
const WINDOW_MS = 60 * 60 * 1000

/** The actions of the page's buttons. `wait` leaves the payment open, as a slow bank does. */
export const SANDBOX_DECISIONS = ['succeed', 'fail', 'cancel', 'wait'] as const
export type SandboxDecision = (typeof SANDBOX_DECISIONS)[number]

type SandboxState = 'waiting' | 'succeeded' | 'failed' | 'cancelled'

export type SandboxPayment = {
  readonly id: string
  readonly reference: string
  readonly amountFt: bigint
  readonly state: SandboxState
  readonly returnUrl: string
  readonly locale: Locale
}

const STATE_AFTER: Readonly<Record<SandboxDecision, SandboxState>> = {
  succeed: 'succeeded',
  fail: 'failed',
  cancel: 'cancelled',
  wait: 'waiting',
}

const OBSERVED: Readonly<Record<SandboxState, ObservedPayment['state']>> = {
  waiting: 'pending',
  succeeded: 'settled',
  failed: 'failed',
  cancelled: 'failed',
}

/** A provider without money: its page lets the reader choose the outcome. It has its own books. */
export function sandboxProvider(context: Context, publicUrl: string): PaymentProvider {
  return {
    id: SANDBOX_ID,
    capabilities: {
      kinds: ['redirect'],
      sandbox: true,
      minimumFt: MIN_TOP_UP_FT,
      maximumFt: MAX_TOP_UP_FT,
      tariffs: [],
      refunds: 'none',
      tellsDisputes: false,
      windowMs: WINDOW_MS,
      signedHints: false,
    },
    open: (payment) => open(context, payment, publicUrl),
    fetchState: async ({ providerPaymentId }) => observe(await findSandboxPayment(context, providerPaymentId)),
    parseHint: ({ body }) => Promise.resolve(parseHint(body)),
  }
}

function observe(payment: SandboxPayment | undefined): ObservedPayment | null {
  if (!payment) return null
  return {
    state: OBSERVED[payment.state],
    amount: observedAmount(forints(payment.amountFt)),
    reference: payment.reference,
    refundedMinor: 0n,
    dispute: 'none',
    failureCode: payment.state === 'cancelled' ? 'cancelled' : null,
  }
}

async function open({ db, ids, clock }: Context, payment: NewPayment, publicUrl: string): Promise<OpenedPayment> {
  // 192 random bits: anyone who knows the address may decide, so it must not be guessable.
  const id = Buffer.from(ids.bytes(24)).toString('hex')
  const { paymentId, amount, returnUrl, locale } = payment
  await db.query(
    `insert into control.sandbox_payments (id, reference, amount_ft, return_url, locale, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (reference) do nothing`,
    [id, paymentId, amount.minor.toString(), returnUrl, locale, new Date(clock.now())],
  )
  const [row] = await db.query<{ id: string }>('select id from control.sandbox_payments where reference = $1', [
    paymentId,
  ])
  if (!row) throw new AppError('PROVIDER_FAILURE', 'the sandbox did not keep the payment', { retryable: true })
  const url = `${publicUrl}/payments/sandbox/${row.id}`
  return { providerPaymentId: row.id, next: { kind: 'redirect', url } }
}

const HintBody = z.object({ paymentId: z.string().regex(/^[0-9a-f]{48}$/) })

function parseHint(body: string): Hints {
  try {
    const parsed = HintBody.safeParse(JSON.parse(body))
    if (!parsed.success) return { ok: false }
    return { ok: true, hints: [{ eventId: null, kind: 'decided', providerPaymentId: parsed.data.paymentId }] }
  } catch {
    return { ok: false }
  }
}

type Row = { id: string; reference: string; amount_ft: bigint; state: SandboxState; return_url: string; locale: string }

/** A payment in the sandbox's books. */
export async function findSandboxPayment({ db }: Pick<Context, 'db'>, id: string): Promise<SandboxPayment | undefined> {
  const [row] = await db.query<Row>(
    'select id, reference, amount_ft, state, return_url, locale from control.sandbox_payments where id = $1',
    [id],
  )
  if (!row) return undefined
  return {
    id: row.id,
    reference: row.reference,
    amountFt: row.amount_ft,
    state: row.state,
    returnUrl: row.return_url,
    locale: Locale.parse(row.locale),
  }
}

/**
 * Stores the reader's decision and resolves with the resulting state. A payment is decided once, except that a failed
 * one may be retried: later decisions change nothing.
 */
export async function decideSandboxPayment(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, decision }: { id: string; decision: SandboxDecision },
): Promise<SandboxState> {
  await db.query(
    `update control.sandbox_payments set state = $2, decided_at = $3 where id = $1 and state in ('waiting', 'failed')`,
    [id, STATE_AFTER[decision], new Date(clock.now())],
  )
  const payment = await findSandboxPayment({ db }, id)
  if (!payment) throw new AppError('PROVIDER_FAILURE', 'the sandbox does not know this payment')
  return payment.state
}
