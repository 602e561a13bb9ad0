import type { NextStep, PaymentMethod } from '#contracts/http/payment.ts'
import { MAX_TOP_UP_FT, MIN_TOP_UP_FT } from '#domain/payments/top-up.ts'
import type { PaymentProvider } from './payment-provider.ts'

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** A provider in the top-up panel: its limits and the house's. */
export function paymentMethodOf({ id, capabilities }: PaymentProvider): PaymentMethod {
  const { kinds, sandbox, minimumFt, maximumFt, tariffs } = capabilities
  return {
    id,
    sandbox,
    kinds: [...kinds],
    minimumFt: Number(larger(minimumFt, MIN_TOP_UP_FT)),
    maximumFt: Number(smaller(maximumFt, MAX_TOP_UP_FT)),
    tariffs: tariffs.map(({ kind, number, paidFt, creditedFt }) => ({
      kind,
      number,
      paidFt: Number(paidFt),
      creditedFt: Number(creditedFt),
    })),
  }
}

/** The address of a step for the browser; `returnUrl` is the site's result page with the payment's id. */
export function addressOfStep(next: NextStep, returnUrl: string): string {
  switch (next.kind) {
    case 'redirect':
      return next.url
    case 'page': {
      const page = new URL(next.path, returnUrl)
      page.search = new URL(returnUrl).search
      return page.href
    }
    case 'premium-sms':
    case 'premium-call':
      return returnUrl
  }
}

/** The step as stored: a secret is requested again each time. */
export const withoutSecret = (next: NextStep): NextStep => (next.kind === 'page' ? { ...next, secret: '' } : next)
