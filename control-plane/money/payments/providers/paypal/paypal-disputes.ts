import * as z from 'zod'
import type { DisputeProgress, SeenDispute } from '#domain/payments/reversal.ts'
import type { ObservedAmount } from '#domain/payments/payment-amount.ts'
import type { PaypalClient } from './paypal-client.ts'
import { amountOf, inUnitOf, PaypalMoney, readAs } from './paypal-order.ts'

const DisputeId = z.string().regex(/^[A-Za-z0-9-]{1,255}$/)
const DisputeList = z.object({ items: z.array(z.object({ dispute_id: DisputeId })).default([]) })

const Dispute = z.object({
  dispute_id: DisputeId,
  status: z.string(),
  dispute_amount: PaypalMoney.optional(),
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: PaypalMoney.optional() })
    .optional(),
  disputed_transactions: z
    .array(
      z.object({
        seller_transaction_id: z
          .string()
          .regex(/^[0-9A-Z]{1,36}$/)
          .optional(),
      }),
    )
    .default([]),
})
type Dispute = z.infer<typeof Dispute>

const LOST = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'])
/** With a payout PayPal compensates the customer itself, and the money stays here. */
const WON = new Set(['RESOLVED_SELLER_FAVOUR', 'RESOLVED_WITH_PAYOUT', 'CANCELED_BY_BUYER', 'DENIED'])

/** PayPal holds the money from the first complaint on. An unknown outcome counts as open. */
function stateOf({ status, dispute_outcome: outcome }: Dispute): DisputeProgress {
  const code = outcome?.outcome_code ?? ''
  if (status !== 'RESOLVED') return 'open'
  return LOST.has(code) ? 'lost' : WON.has(code) ? 'won' : 'open'
}

async function findDispute(client: PaypalClient, disputeId: string): Promise<Dispute | undefined> {
  const path = `/v1/customer/disputes/${encodeURIComponent(disputeId)}`
  const answer = await client.call({ method: 'GET', path, isOptional: true })
  return answer.kind === 'done' ? readAs(Dispute, answer.body) : undefined
}

/** The captures of a dispute, as listed by PayPal. */
export async function capturesOfDispute(client: PaypalClient, disputeId: string): Promise<string[]> {
  const dispute = await findDispute(client, disputeId)
  return dispute?.disputed_transactions.flatMap(({ seller_transaction_id: id }) => id ?? []) ?? []
}

/** The disputed amount; once decided for the customer, the amount that the customer got. */
function partOf(dispute: Dispute): ObservedAmount | undefined {
  const { dispute_amount: asked, dispute_outcome: outcome } = dispute
  const part = (stateOf(dispute) === 'lost' ? outcome?.amount_refunded : undefined) ?? asked
  return part && amountOf(part)
}

/**
 * All disputes about a capture, in the unit of `amount`; undefined without permission to read disputes. A decision
 * includes the amount that went to the customer.
 */
export async function disputesOfCapture(
  client: PaypalClient,
  { captureId, amount }: { captureId: string; amount: ObservedAmount },
): Promise<SeenDispute[] | undefined> {
  const path = `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(captureId)}`
  const answer = await client.call({ method: 'GET', path, isOptional: true })
  if (answer.kind !== 'done') return undefined
  const disputes: SeenDispute[] = []
  for (const { dispute_id: disputeId } of readAs(DisputeList, answer.body).items) {
    const dispute = await findDispute(client, disputeId)
    if (!dispute) continue
    const part = partOf(dispute)
    const isSame = part?.currency === amount.currency
    disputes.push({ id: disputeId, minor: isSame ? inUnitOf(amount, part) : amount.minor, state: stateOf(dispute) })
  }
  return disputes
}
