import type { PayloadRequest } from 'payload'
import { administrator } from './administrator.ts'

type FieldArgs = { req: PayloadRequest; id?: number | string; doc?: { id?: number | string } }

/** Personal data of an account: its owner and administrators. Support sees masked values only. */
export const selfOrAdministratorField = ({ req, id, doc }: FieldArgs): boolean => {
  if (administrator({ req })) return true
  const owner = id ?? doc?.id
  return req.user !== null && req.user !== undefined && owner !== undefined && req.user.id === owner
}
