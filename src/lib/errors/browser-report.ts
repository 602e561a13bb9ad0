import { newRequestId } from '../browser-client/request-id.ts'
import { errorFacts } from './error-facts.ts'

/** After this many errors a page reports no more. */
const mostOfPage = 5

const ids = new WeakMap<object, string>()
const told = new Set<string>()

/** The id of an error that no server knows: created here, and stable across renders. */
export const browserReportId = (error: object): string => {
  const known = ids.get(error)
  if (known !== undefined) return known
  const made = newRequestId()
  ids.set(error, made)
  return made
}

/**
 * Reports an error to the site under its id, once. The result is ignored, and a failure changes nothing on the page.
 */
export const sendBrowserReport = (error: Error, page: string): void => {
  const reportId = browserReportId(error)
  if (told.has(reportId) || told.size >= mostOfPage) return
  told.add(reportId)
  try {
    void fetch('/api/error-report', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reportId, ...errorFacts(error, page) }),
      // Survives leaving the page at once.
      keepalive: true,
      credentials: 'omit',
    }).catch(() => undefined)
  } catch {
    // The error page is shown even if the report fails.
  }
}
