import { forints, type Money } from '../billing/money.ts'
import type { Tariff } from './payment-amount.ts'
import type { PaymentKind } from './payment-kind.ts'

/** Specification section 9: minimum top-up 500 HUF. */
export const MIN_TOP_UP_FT = 500n
/** A higher single payment is refused, because a typing mistake of this size costs more than a second payment. */
export const MAX_TOP_UP_FT = 1_000_000n

/** The step of suggested top-ups. */
const SUGGESTED_STEP_FT = 100

/** The suggested top-up for a missing amount of `missingFt` whole forints: the minimum, or the next whole hundred. */
export const suggestedTopUpFt = (missingFt: number): number =>
  Math.max(Number(MIN_TOP_UP_FT), Math.ceil(missingFt / SUGGESTED_STEP_FT) * SUGGESTED_STEP_FT)

/** Every reason for refusing a top-up before a provider is called, in the order in which they are checked. */
export const TOP_UP_REFUSALS = [
  'EMAIL_NOT_VERIFIED',
  'AMOUNT_INVALID',
  'AMOUNT_NOT_WHOLE',
  'TOPUP_TOO_SMALL',
  'TOPUP_TOO_LARGE',
  'TERMS_NOT_ACCEPTED',
  'METHOD_NOT_AVAILABLE',
  'AMOUNT_NOT_OFFERED',
  'TOPUP_WALLET_FULL',
] as const
export type TopUpRefusal = (typeof TOP_UP_REFUSALS)[number]

type Refused = { readonly ok: false; readonly code: TopUpRefusal }
export type AmountParsed = { readonly ok: true; readonly amount: Money } | Refused

const refused = (code: TopUpRefusal): Refused => ({ ok: false, code })

/**
 * Parses an external amount of whole forints: a safe, positive integer and nothing else. Text is refused in every form,
 * so that nobody has to guess the meaning of "10,5", "1e3" or digits of another script.
 */
export function parseForints(value: unknown): AmountParsed {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused('AMOUNT_INVALID')
  if (!Number.isInteger(value)) return refused('AMOUNT_NOT_WHOLE')
  if (!Number.isSafeInteger(value) || value <= 0) return refused('AMOUNT_INVALID')
  return { ok: true, amount: forints(BigInt(value)) }
}

/** The amounts of a method, in whole forints; with tariffs only their prices. */
export type TopUpMethod = {
  readonly id: string
  readonly kinds: readonly PaymentKind[]
  readonly minimumFt: bigint
  readonly maximumFt: bigint
  readonly tariffs: readonly Tariff[]
}

export type TopUpRequest = {
  /** Whether the customer's e-mail address is verified. */
  readonly isVerified: boolean
  readonly amount: unknown
  readonly acceptTerms: unknown
  readonly method: unknown
  /** One of the method's kinds; undefined means its first. */
  readonly kind?: unknown
  readonly methods: readonly TopUpMethod[]
}

/** `credited` is the wallet's gain: all of `amount` unless the method has tariffs. */
export type TopUpDecision =
  | {
      readonly ok: true
      readonly amount: Money
      readonly credited: Money
      readonly method: string
      readonly kind: PaymentKind
    }
  | Refused

/** Decides whether a top-up may be sent to its provider. Returns the first reason in `TOP_UP_REFUSALS` that applies. */
export function decideTopUp(request: TopUpRequest): TopUpDecision {
  if (!request.isVerified) return refused('EMAIL_NOT_VERIFIED')
  // A request for nothing, or for too little, is answered with the minimum.
  if (Number.isSafeInteger(request.amount) && Number(request.amount) <= 0) return refused('TOPUP_TOO_SMALL')
  const parsed = parseForints(request.amount)
  if (!parsed.ok) return parsed
  if (parsed.amount.minor < MIN_TOP_UP_FT) return refused('TOPUP_TOO_SMALL')
  if (parsed.amount.minor > MAX_TOP_UP_FT) return refused('TOPUP_TOO_LARGE')
  if (request.acceptTerms !== true) return refused('TERMS_NOT_ACCEPTED')
  const method = request.methods.find(({ id }) => id === request.method)
  const kind = request.kind === undefined ? method?.kinds[0] : method?.kinds.find((known) => known === request.kind)
  if (!method || !kind) return refused('METHOD_NOT_AVAILABLE')
  return decideForMethod(parsed.amount, method, kind)
}

function decideForMethod(amount: Money, method: TopUpMethod, kind: PaymentKind): TopUpDecision {
  if (method.tariffs.length > 0) {
    const tariff = method.tariffs.find((known) => known.kind === kind && known.paidFt === amount.minor)
    if (!tariff) return refused('AMOUNT_NOT_OFFERED')
    return { ok: true, amount, credited: forints(tariff.creditedFt), method: method.id, kind }
  }
  if (amount.minor < method.minimumFt) return refused('TOPUP_TOO_SMALL')
  if (amount.minor > method.maximumFt) return refused('TOPUP_TOO_LARGE')
  return { ok: true, amount, credited: amount, method: method.id, kind }
}

/**
 * Whether a wallet would exceed the deployment's limit (T26), in forints: open top-ups count as received. Without a
 * limit everything is allowed. Checked before a top-up begins; money that arrives late is never refused.
 */
export function exceedsMaximum(
  wallet: { readonly balanceFt: bigint; readonly openFt: bigint; readonly creditedFt: bigint },
  maximumFt: bigint | undefined,
): boolean {
  return maximumFt !== undefined && wallet.balanceFt + wallet.openFt + wallet.creditedFt > maximumFt
}
