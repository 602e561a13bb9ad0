import type { PayloadRequest, Where } from 'payload'
import { administrator } from './administrator.ts'

/** The public sees documents that were published, administrators see drafts as well. */
export const publishedPostOrAdministrator = ({ req }: { req: PayloadRequest }): boolean | Where =>
  administrator({ req }) || { _status: { equals: 'published' } }
