import { errorFacts } from '../../lib/errors/error-facts.ts'
import { logLine } from '../../lib/site/log-line.ts'
import { controlPlane } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

/** What works now, and errors that a browser reports. */
export const statusArea = {
  // Anybody can send a report: it is scrubbed again, and stands in the log beside the id that the reader sees.
  'POST /api/error-report': ({ input, requestId }) => {
    const { reportId, page, ...error } = input
    logLine('warn', { requestId, reportId, claimed: errorFacts(error, page) }, 'a browser reports an error')
    return Promise.resolve({ body: {} })
  },
  'GET /api/status': async ({ requestId }) => {
    const answers = await controlPlane()
      .call('node-origins', {}, { requestId, timeoutMs: 2_000 })
      .then(
        () => true,
        () => false,
      )
    return { body: { site: 'up', controlPlane: answers ? 'up' : 'down' } }
  },
} satisfies ApiArea
