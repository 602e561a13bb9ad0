import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/balance/invoices/csv', async (call) => {
  const { csv } = await askControlPlane('invoices-csv', {}, call)
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="invoices.csv"',
    'x-content-type-options': 'nosniff',
  }
  return { body: csv, headers }
})
