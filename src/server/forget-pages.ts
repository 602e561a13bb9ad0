import type { Server } from 'node:http'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import type { PageMemory } from './page-memory.ts'

/** The tag that Next gives to every page below the root layout. */
export const EVERY_PAGE = '_N_T_/layout'

/** Makes Next render each page with one of the tags again at its next request. */
export type ForgetPages = (tags: readonly string[]) => Promise<void>

/**
 * `inner` is the listening private listener: Next's cache is only reachable by a request. The function rejects when it
 * refuses.
 */
export const forgetPagesBy =
  (inner: Server, internalSecret: string): ForgetPages =>
  async (tags) => {
    const address = inner.address()
    if (address === null || typeof address === 'string') throw new Error('The private listener has no port.')
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    const answer = await fetch(`http://${host}:${address.port}/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: internalSecret },
      body: JSON.stringify({ tags }),
    })
    if (!answer.ok) throw new Error(`Pages could not be forgotten: ${answer.status}.`)
  }

/**
 * Also drops all pages in memory, because Next does not expose the tags of a page. Before, so that no old page is served from
 * now on, and after, because Next may have returned an old page until it was told.
 */
export const forgetKeptPages =
  (memory: Pick<PageMemory, 'forget'>, forget: ForgetPages): ForgetPages =>
  async (tags) => {
    memory.forget()
    try {
      await forget(tags)
    } finally {
      memory.forget()
    }
  }
