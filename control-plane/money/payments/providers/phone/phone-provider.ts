import { identifierFrom } from '#domain/kernel/identifier.ts'
import type { ObservedAmount } from '#domain/payments/payment-amount.ts'
import { AppError } from '../../../../platform/app-error.ts'
import type { Context } from '../../../../platform/context.ts'
import type {
  HintRequest,
  Hints,
  NewPayment,
  ObservedPayment,
  OpenedPayment,
  PaymentProvider,
} from '../../payment-provider.ts'
import {
  findMessage,
  findOffer,
  keepMessage,
  messagesOf,
  offer,
  type PhonePayment,
  type StoredMessage,
} from './phone-books.ts'
import { codeOf, PhoneMessage } from './phone-message.ts'
import type { PhoneSettings } from '../../phone-settings.ts'
import { isSigned, SIGNATURE_HEADER } from './phone-signature.ts'

export const PHONE_ID = 'phone'

const WINDOW_MS = 24 * 60 * 60 * 1000
/** The prefix of messages that pay no offer: with an unknown code, or a second one with the same code. */
const MESSAGE_PREFIX = 'message:'

/**
 * Premium-rate messages and calls. The aggregator signs its reports, and the forwarded amount is credited: less than
 * the customer pays, as the tariffs state beforehand.
 */
export function phoneProvider(context: Context, settings: PhoneSettings): PaymentProvider {
  const { tariffs } = settings
  const paid = tariffs.map(({ paidFt }) => paidFt)
  return {
    id: PHONE_ID,
    capabilities: {
      kinds: [...new Set(tariffs.map(({ kind }) => kind))],
      sandbox: false,
      minimumFt: paid.reduce((a, b) => (a < b ? a : b)),
      maximumFt: paid.reduce((a, b) => (a > b ? a : b)),
      tariffs,
      refunds: 'none',
      tellsDisputes: false,
      windowMs: WINDOW_MS,
      signedHints: true,
    },
    open: (payment) => open(context, settings, payment),
    fetchState: ({ providerPaymentId }) => fetchState(context, providerPaymentId),
    parseHint: (request) => parseHint(context, settings, request),
  }
}

async function open(context: Context, settings: PhoneSettings, payment: NewPayment): Promise<OpenedPayment> {
  const tariff = settings.tariffs.find(({ kind, paidFt }) => kind === payment.kind && paidFt === payment.amount.minor)
  if (!tariff) throw new AppError('PROVIDER_FAILURE', 'the phone has no such tariff')
  const { kind, number } = tariff
  const code = newCode(context, kind)
  const offered = await offer(context, payment, { code, kind, number, windowMs: WINDOW_MS })
  if (!offered) throw new AppError('PROVIDER_FAILURE', 'the phone did not keep the offer', { retryable: true })
  return {
    providerPaymentId: offered.code,
    next: {
      kind: offered.kind,
      number: offered.number,
      text: offered.kind === 'premium-sms' ? `${settings.keyword} ${offered.code.toUpperCase()}` : offered.code,
      paidFt: Number(offered.paid_ft),
      creditedFt: Number(offered.credited_ft),
    },
  }
}

/** A code for a message has letters that are not confused with one another; one for a call can be typed on a phone. */
function newCode({ ids }: Context, kind: PhonePayment['kind']): string {
  for (;;) {
    const bytes = ids.bytes(32)
    if (kind === 'premium-call') return ((Buffer.from(bytes).readUIntBE(0, 6) % 90_000_000) + 10_000_000).toString()
    const code = identifierFrom(bytes)
    if (code !== undefined) return code
  }
}

const forintsOf = (minor: bigint, currency: string): ObservedAmount => ({ minor, currency, exponent: 0 })

async function fetchState({ db, clock }: Context, providerPaymentId: string): Promise<ObservedPayment | null> {
  if (providerPaymentId.startsWith(MESSAGE_PREFIX)) {
    const message = await findMessage(db, providerPaymentId.slice(MESSAGE_PREFIX.length))
    if (!message) return null
    const named = message.code === null ? undefined : await findOffer(db, message.code)
    return observeMessage(message, named?.payment_id ?? null)
  }
  const offered = await findOffer(db, providerPaymentId)
  if (!offered) return null
  const messages = await messagesOf(db, offered.code)
  const paying = messages.find(({ message_id: id }) => id === offered.message_id)
  if (paying) return observeMessage(paying, offered.payment_id)
  return observeOffer(offered, messages, clock.now())
}

function observeMessage(message: StoredMessage, reference: string | null): ObservedPayment {
  const { state, currency } = message
  const isPaid = state === 'billed' || state === 'charged_back'
  return {
    state: isPaid ? 'settled' : state === 'rejected' ? 'failed' : 'pending',
    amount: forintsOf(message.gross_ft, currency),
    forwarded: forintsOf(message.forwarded_ft, currency),
    reference,
    refundedMinor: 0n,
    // A carrier charges back weeks later, without a dispute.
    dispute: state === 'charged_back' ? 'lost' : 'none',
    failureCode: state === 'rejected' ? state : null,
  }
}

function observeOffer(offered: PhonePayment, messages: readonly StoredMessage[], nowMs: number): ObservedPayment {
  const isRefused = messages.length > 0 && messages.every(({ state }) => state === 'rejected')
  const isOver = messages.length === 0 && offered.expires_at.getTime() <= nowMs
  return {
    state: isRefused ? 'failed' : isOver ? 'expired' : 'pending',
    amount: forintsOf(offered.paid_ft, 'HUF'),
    forwarded: forintsOf(offered.credited_ft, 'HUF'),
    reference: offered.payment_id,
    refundedMinor: 0n,
    dispute: 'none',
    failureCode: isRefused ? 'rejected' : null,
  }
}

async function parseHint(context: Context, settings: PhoneSettings, { headers, body }: HintRequest): Promise<Hints> {
  const signed = { header: headers[SIGNATURE_HEADER], body }
  if (!isSigned(signed, settings.secrets, context.clock.now())) return { ok: false }
  const message = readMessage(body)
  if (!message) return { ok: false }
  const offered = await keepMessage(context, message, codeOf(message, settings.keyword))
  const paysOffer = offered && (offered.message_id === null || offered.message_id === message.messageId)
  return {
    ok: true,
    hints: [
      {
        // A repeated report with other amounts is another event.
        eventId: `${message.messageId}:${message.state}${amountsOf(message)}`,
        kind: message.state,
        providerPaymentId: paysOffer ? offered.code : `${MESSAGE_PREFIX}${message.messageId}`,
      },
    ],
  }
}

const amountsOf = ({ grossFt, forwardedFt, currency }: PhoneMessage): string => `:${grossFt}:${forwardedFt}:${currency}`

function readMessage(body: string): PhoneMessage | undefined {
  try {
    return PhoneMessage.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
