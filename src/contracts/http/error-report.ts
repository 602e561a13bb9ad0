import * as z from 'zod'

/** Maximum size of a report in bytes; a larger one is refused unread. */
export const MAX_ERROR_REPORT_BYTES = 8_192

/**
 * An error reported by a browser: nothing in it can be trusted. `reportId` is shown to the reader, who can send it to
 * support; `page` is a path without ids and query.
 */
export const ErrorReport = z.strictObject({
  reportId: z.uuidv4(),
  name: z.string().max(64),
  message: z.string().max(300),
  stack: z.string().max(3_000),
  page: z.string().max(200),
})
export type ErrorReport = z.infer<typeof ErrorReport>
