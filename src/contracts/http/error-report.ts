import * as z from 'zod'

/** Bytes that a report may have on the wire; more is refused unread. */
export const MAX_ERROR_REPORT_BYTES = 8_192

/**
 * An error that happened in a browser alone, told by that browser: nothing in it is to be believed. `reportId` is what the
 * reader sees and can send to support; `page` is a path without ids and query.
 */
export const ErrorReport = z.strictObject({
  reportId: z.uuidv4(),
  name: z.string().max(64),
  message: z.string().max(300),
  stack: z.string().max(3_000),
  page: z.string().max(200),
})
export type ErrorReport = z.infer<typeof ErrorReport>
