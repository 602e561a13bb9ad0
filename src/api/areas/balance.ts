import { identity } from '../../identity/dependencies.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { paperAnswer } from '../paper-answer.ts'
import { recordConsent } from '../record-consent.ts'
import type { ApiArea } from '../api-call.ts'

/** Top-ups and invoice files. */
export const balanceArea = {
  'GET /api/balance/invoices/{id}/pdf': async (call) =>
    paperAnswer(await askControlPlane('invoice-file', { invoiceId: call.path.id }, call)),
  'GET /api/balance/invoices/csv': async (call) => {
    const { csv } = await askControlPlane('invoices-csv', {}, call)
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="invoices.csv"',
      'x-content-type-options': 'nosniff',
    }
    return { body: csv, headers }
  },
  'POST /api/balance/topup': async (call) => {
    // Without consent the control plane refuses the top-up, so there is nothing to record.
    if (call.input.acceptTerms) await recordConsent('topup', { ...call, termsVersion: call.input.termsVersion })
    const returnUrl = `${siteSettings().siteUrl}/dashboard/balance/ok`
    // Without a key from the caller each request starts a new payment.
    const idempotencyKey = call.idempotencyKey ?? identity().ids.next()
    return { body: await askControlPlane('topup', { request: call.input, returnUrl }, { ...call, idempotencyKey }) }
  },
} satisfies ApiArea
