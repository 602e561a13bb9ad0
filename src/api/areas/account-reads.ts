import { readBalance } from '../../account/read-balance.ts'
import { readGuides } from '../../account/read-guides.ts'
import { readNotifications } from '../../account/read-notifications.ts'
import { readServers } from '../../account/read-servers.ts'
import { readUser } from '../../account/read-user.ts'
import type { SessionAnswer, SessionReader } from '../../account/session-read.ts'
import type { Subject } from '../../identity/keys/access-tokens.ts'
import { identity } from '../../identity/dependencies.ts'
import { bucketKey } from '../../identity/context/limits.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import type { RequestContext } from '../../lib/requests/request-context.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { nextLink } from '../next-link.ts'
import type { ApiArea } from '../api-call.ts'

/** A browser with push notifications is recorded as seen once a day. */
const SEEN_EVERY_MS = 86_400_000

type SignedIn = RequestContext & { readonly subject: Subject }

const readerOf = ({ subject }: SignedIn): SessionReader => ({ context: identity(), subject })

/**
 * The body of a response, with `Age` while no control plane keeps the data current. An ended session gets no body and
 * is not counted.
 */
const answerOf = async <Body>(call: SignedIn, answer: SessionAnswer<Body>) => {
  if (answer === null) {
    await identity().limits.giveBack('read', bucketKey('read', { address: call.address, account: call.subject.userId }))
    throw new ApiError('UNAUTHENTICATED')
  }
  const { ageSeconds } = answer.freshness
  return { body: answer.body, headers: ageSeconds === null ? {} : { age: String(ageSeconds) } }
}

/**
 * Tells the control plane, the only writer of these rows, that a browser is in use. If it is down, the next request
 * tells it again.
 */
const noteBrowser = (seenAtMs: number | null, call: SignedIn): void => {
  if (seenAtMs === null || seenAtMs > identity().clock.now() - SEEN_EVERY_MS) return
  void askControlPlane('browser-seen', {}, call).catch(() => undefined)
}

/** Guides are the site's own content: how old the control plane's data are says nothing about them, so they carry no age. */
const guidesFor = async (call: SignedIn, text: string | undefined) => {
  const answer = await readGuides(readerOf(call), { text, locale: call.locale })
  return { body: (await answerOf(call, answer)).body }
}

/** The first calls of every dashboard page: one statement each, which also works while no control plane runs. */
export const accountReadsArea = {
  'GET /api/guides': (call) => guidesFor(call, undefined),
  'POST /api/guides/matching': (call) => guidesFor(call, call.input.text),
  'GET /api/user/me': async (call) => answerOf(call, await readUser(readerOf(call))),
  'GET /api/user/servers': async (call) => {
    const { body, headers } = await answerOf(call, await readServers(readerOf(call), call.query, call.locale))
    return { body, headers: { ...headers, ...nextLink('/api/user/servers', call.query, body) } }
  },
  'GET /api/user/notifications': async (call) => {
    const { body, headers } = await answerOf(call, await readNotifications(readerOf(call), call.query))
    noteBrowser(body.browserSeenAtMs, call)
    const items = body.notifications
    return { body: items, headers: { ...headers, ...nextLink('/api/user/notifications', call.query, items) } }
  },
  'GET /api/balance': async (call) => {
    const { body, headers } = await answerOf(call, await readBalance(readerOf(call)))
    // A control plane of the previous release publishes no methods, but returns the whole body.
    const { methods } = body
    return methods === null
      ? { body: await askControlPlane('balance', {}, call) }
      : { body: { ...body, methods }, headers }
  },
} satisfies ApiArea
