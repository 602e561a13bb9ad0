import type { PayloadRequest } from 'payload'
import { administrator } from './administrator.ts'

/** Privileged fields: an administrator changes them for others, never for their own account. */
export const administratorButNotSelfField = ({ req, id }: { req: PayloadRequest; id?: number | string }): boolean =>
  administrator({ req }) && id !== undefined && req.user?.id !== id
