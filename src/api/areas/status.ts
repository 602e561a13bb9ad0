import { errorFacts } from '../../lib/errors/error-facts.ts'
import { logLine } from '../../lib/site/log-line.ts'
import { controlPlane } from '../session.ts'
import type { ApiArea } from '../api-call.ts'

/** Service status, and error reports of browsers. */
export const statusArea = {
  // Anybody can send a report, so it is scrubbed again; it is logged under the id that the reader sees.
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
