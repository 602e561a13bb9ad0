import { createHash } from 'node:crypto'
import type { Locale } from '#contracts/locale.ts'
import { steadyNow } from '#platform/clock.ts'
import { readRecently } from '../../lib/site/read-recently.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { recordConsent } from '../record-consent.ts'
import { controlPlane } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

// The catalog is the same for all readers of a language, and every visit of the services page loads it. The server caches its compressed
// form by the ETag.
const recentCatalog = readRecently(async (locale: Locale, requestId: string) => {
  const body = await controlPlane().call('services', { locale }, { locale, requestId })
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  return { body, headers: { etag: `W/"${hash}"` } }
}, steadyNow)

/** The catalog and orders. */
export const ordersArea = {
  'POST /api/orders': async (call) => {
    // Every order accepts the terms, as the text of its button says.
    await recordConsent('order', { ...call, termsVersion: call.input.termsVersion })
    return { body: await askControlPlane('order', { request: call.input }, call) }
  },
  'GET /api/services': ({ locale, requestId }) => recentCatalog(locale, requestId),
} satisfies ApiArea
