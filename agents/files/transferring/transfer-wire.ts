import * as z from 'zod'
import { JobResult } from '#contracts/panel/file-jobs.ts'

/** How a thing gets from the worker of one server through the agent to that of another: as a tar, with these words around it. */

/** The mark of the thing as it was sent, once all of it was. */
export const MARK_TRAILER = 'x-mark'
/** Why it was not sent to its end. */
export const REFUSAL_TRAILER = 'x-refusal'

/**
 * The last entry of each stream: what was left out. A stream without it was cut. No file has this name, because those on the wire
 * never begin with a slash.
 */
export const REPORT_NAME = '/report.json'
export const MAX_REPORT_BYTES = 1024 * 1024
export const TransferReport = JobResult.pick({ leftOut: true, leftOutCount: true })
export type TransferReport = z.infer<typeof TransferReport>

/** The answer of the receiver: the path that the thing has there. */
export const Received = TransferReport.extend({ path: z.string() })
export type Received = z.infer<typeof Received>

export const Measured = z.object({ bytes: z.array(z.number()) })
export const Left = z.object({ hasLeft: z.boolean() })
