import type { PayloadRequest, Where } from 'payload'
import { administrator } from './administrator.ts'

/** The public sees published entries, administrators see drafts as well. */
export const publishedOrAdministrator = ({ req }: { req: PayloadRequest }): boolean | Where =>
  administrator({ req }) || { published: { equals: true } }
