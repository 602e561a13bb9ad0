import type { IncomingMessage, ServerResponse } from 'node:http'
import { authenticate } from '../identity/sessions/authenticate.ts'
import { identity } from '../identity/dependencies.ts'
import { readGrants } from '../identity/people/people.ts'

/** Whether the sender of a request is staff. Decides whether the request may act in the admin. */
export type IsStaff = (request: Pick<IncomingMessage, 'headers'>) => Promise<boolean>

const READING = new Set(['GET', 'HEAD'])

/** Whether a request does more than read: in the admin that is a call of a server function. */
export const acts = ({ method = 'GET' }: Pick<IncomingMessage, 'method'>): boolean => !READING.has(method)

/** The sender's session and current roles count, as everywhere in the admin. */
export const staffBySession =
  (isSecure: boolean): IsStaff =>
  async ({ headers }) => {
    const asked = new Headers()
    for (const name of ['cookie', 'authorization'] as const) {
      const value = headers[name]
      if (value !== undefined) asked.set(name, value)
    }
    const result = await authenticate(identity(), asked, isSecure)
    if (!result.ok) return false
    const { isAdmin, isSupport } = await readGrants(identity().db, result.subject.userId)
    return isAdmin || isSupport
  }

/** The admin's browser code shows this text, because it is not part of a page. */
export const refuseStranger = (response: ServerResponse): void => {
  response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end('Only staff may do this.')
}
