import type { PayloadRequest, Where } from 'payload'
import { administrator } from './administrator.ts'

/** The public sees orderable entries, administrators see everything. */
export const orderableOrAdministrator = ({ req }: { req: PayloadRequest }): boolean | Where =>
  administrator({ req }) || { orderable: { equals: true } }
