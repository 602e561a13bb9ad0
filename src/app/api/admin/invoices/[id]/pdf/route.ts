import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'

export const GET = apiHandler('GET /api/admin/invoices/{id}/pdf', async (call) => {
  const { fileName, pdf } = await askControlPlane('staff-invoice-file', { invoiceId: call.path.id }, call)
  const headers = {
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  return { body: new Uint8Array(Buffer.from(pdf, 'base64')), headers }
})
