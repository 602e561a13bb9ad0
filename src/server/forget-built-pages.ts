import type { Server } from 'node:http'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'

/** The tag that Next gives to every page below the root layout. */
const EVERY_PAGE = '_N_T_/layout'

/**
 * Makes Next render each static page anew at its next request. A build knows neither the address of the site nor its
 * content, and what an earlier run has cached may come from another database.
 * `inner` is the listening private listener; throws when it refuses.
 */
export const forgetBuiltPages = async (inner: Server, internalSecret: string): Promise<void> => {
  const address = inner.address()
  if (address === null || typeof address === 'string') throw new Error('The private listener has no port.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const answer = await fetch(`http://${host}:${address.port}/internal/revalidate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: internalSecret },
    body: JSON.stringify({ tags: [EVERY_PAGE] }),
  })
  if (!answer.ok) throw new Error(`The pages of the build could not be forgotten: ${answer.status}.`)
}
