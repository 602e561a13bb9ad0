import type { PayloadRequest } from 'payload'
import { administrator } from './administrator.ts'

type FieldArgs = { req: PayloadRequest; id?: number | string; doc?: { id?: number | string } }

/**
 * Privileged fields: an administrator changes them for others, never for their own account. A form asks without the
 * id and with the stored document.
 */
export const administratorButNotSelfField = ({ req, id, doc }: FieldArgs): boolean => {
  const account = id ?? doc?.id
  return administrator({ req }) && account !== undefined && req.user?.id !== account
}
