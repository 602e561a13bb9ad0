import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { LOCALES } from '#contracts/locale.ts'
import type { SiteSettings } from '../lib/env.ts'
import type { Log } from './log.ts'

const WITHIN_MS = 20_000

/**
 * Throws away every page that the build or an earlier run made, and makes the landing pages again. A build knows no
 * database, and the database may have changed while the site did not run; so the first visitor already sees what is true.
 * A failure is logged and left: the pages are made at their first visit then.
 */
export async function refreshPages(settings: SiteSettings, log: Log): Promise<void> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  try {
    const forgotten = await fetch(`http://${settings.internalHost}:${settings.healthPort}/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: settings.internalSecret },
      body: JSON.stringify({ tags: [], everything: true }),
      signal,
    })
    if (!forgotten.ok) throw new Error(`the revalidation answered ${forgotten.status}`)
    for (const locale of LOCALES) {
      const page = await fetch(`http://${settings.host}:${settings.port}/${locale}`, { signal })
      await page.arrayBuffer()
    }
  } catch (error) {
    log.warn({ error: String(error) }, 'the pages could not be refreshed at the start')
  }
}
