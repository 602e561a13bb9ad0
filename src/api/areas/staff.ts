import { askControlPlane } from '../ask-control-plane.ts'
import { paperAnswer } from '../paper-answer.ts'
import type { ApiArea } from '../api-call.ts'

/** Files for administrators. */
export const staffArea = {
  'GET /api/admin/invoices/{id}/pdf': async (call) =>
    paperAnswer(await askControlPlane('staff-invoice-file', { invoiceId: call.path.id }, call)),
} satisfies ApiArea
