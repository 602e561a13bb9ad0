import { apiHandler } from '@/lib/api-handler.ts'
import { errorFacts } from '@/lib/errors/error-facts.ts'
import { logLine } from '@/lib/site/log-line.ts'

// What a browser says is a claim of anybody: it is scrubbed again, and stands in the log beside the id that the reader sees.
export const POST = apiHandler('POST /api/error-report', ({ input, requestId }) => {
  const { reportId, page, ...error } = input
  logLine('warn', { requestId, reportId, claimed: errorFacts(error, page) }, 'a browser reports an error')
  return Promise.resolve({ body: {} })
})
