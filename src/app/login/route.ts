import { DiscordReturn } from '#contracts/http/privacy.ts'
import { nextPath } from '@/lib/navigation/next-path.ts'
import { cookieName, readCookie, setCookie } from '@/identity/sessions/cookies.ts'
import { discordSetting, identity } from '@/identity/dependencies.ts'
import { finishDiscordLink } from '@/identity/accounts/discord-link.ts'
import type { DiscordEnd } from '@/identity/accounts/discord-link.ts'
import { bucketKey } from '@/identity/context/limits.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { logLine } from '@/lib/site/log-line.ts'
import { requestContext } from '@/lib/requests/request-context.ts'
import type { RequestContext } from '@/lib/requests/request-context.ts'

const SETTINGS = '/dashboard/settings'

/** A relative address, so that it stays on the site under any host name. */
const goTo = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location,
      'cache-control': 'private, no-store',
      // The address contains the code.
      'referrer-policy': 'no-referrer',
      'set-cookie': setCookie('discord', null, siteSettings().isSecure),
    },
  })

const pageAfter = ({ result, next }: DiscordEnd): string => {
  if (result !== 'linked') return `${SETTINGS}?discord=${result}`
  const path = nextPath(next)
  return path.startsWith(SETTINGS) ? `${SETTINGS}?discord=linked` : path
}

const finish = async (back: DiscordReturn, headers: Headers, context: RequestContext): Promise<DiscordEnd> => {
  const limit = await identity().limits.take('proof', bucketKey('proof', context))
  if (!limit.ok) return { result: 'failed', next: null, reason: 'too many' }
  const browser = readCookie(headers.get('cookie'), cookieName('discord', siteSettings().isSecure))
  return finishDiscordLink(identity(), { setting: await discordSetting(), back, browser }, context)
}

// Discord redirects the browser here (clarifications part 3). A visitor without its parameters wants to sign in.
export const GET = async (request: Request): Promise<Response> => {
  const context = requestContext(request.headers)
  const query = Object.fromEntries(new URL(request.url).searchParams)
  if (query['state'] === undefined && query['code'] === undefined) return goTo('/auth/login')
  const parsed = DiscordReturn.safeParse(query)
  if (!parsed.success) return goTo(`${SETTINGS}?discord=failed`)
  try {
    const end = await finish(parsed.data, request.headers, context)
    if (end.reason !== undefined)
      logLine('warn', { requestId: context.requestId, reason: end.reason }, 'a Discord account was not linked')
    return goTo(pageAfter(end))
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    logLine('error', { requestId: context.requestId, err: { name } }, 'the return of Discord failed')
    return goTo(`${SETTINGS}?discord=failed`)
  }
}
