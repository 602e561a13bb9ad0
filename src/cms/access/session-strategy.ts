import type { AuthStrategy, AuthStrategyFunctionArgs, AuthStrategyResult } from 'payload'
import { awaitsFactor, grantsOf, isUsable } from '#domain/users/roles.ts'

/**
 * Identifies the owner of the access token in the headers (cookie `bakter_access` or `Authorization: Bearer`), or null.
 * The identity part checks the token's signature, time and session, and whether the account has a second factor.
 */
export type ResolveAccessToken = (headers: Headers) => Promise<{ userId: string; hasFactor?: boolean } | null>

/**
 * Cookies are sent automatically, so a cookie request from a foreign origin is not the account's own. A bearer token is
 * sent on purpose and needs no such check.
 */
export const isForeignOrigin = (headers: Headers): boolean => {
  if (headers.has('authorization')) return false
  const origin = headers.get('origin')
  if (origin === null) return false
  if (!URL.canParse(origin)) return true
  return new URL(origin).host !== (headers.get('x-forwarded-host') ?? headers.get('host'))
}

const idOf = (related: string | { readonly id: string }): string => (typeof related === 'string' ? related : related.id)

const authenticate = async (
  { headers, payload, strategyName }: AuthStrategyFunctionArgs,
  resolve: ResolveAccessToken,
): Promise<AuthStrategyResult> => {
  if (isForeignOrigin(headers)) return { user: null }
  const session = await resolve(headers)
  if (!session) return { user: null }
  const [user] = (
    await payload.find({
      collection: 'users',
      where: { id: { equals: session.userId } },
      depth: 1,
      limit: 1,
      pagination: false,
      overrideAccess: true,
    })
  ).docs
  if (!user) return { user: null }
  const roles = (user.role ?? []).filter((role) => typeof role === 'object')
  const flags = roles.map((role) => ({
    isAdmin: role.isAdmin === true,
    isSupport: role.isSupport === true,
    active: role.active,
    twoFactorRequired: role.twoFactorRequired === true,
    ticketCategories: role.ticketCategories ?? [],
  }))
  const hasFactor = session.hasFactor === true
  const supporting = flags.filter((role) => role.isSupport && isUsable(role, hasFactor))
  const ticketCategoryIds = supporting.flatMap((role) => role.ticketCategories).map(idOf)
  const rights = { grants: grantsOf(flags, hasFactor), awaitsFactor: awaitsFactor(flags, hasFactor), ticketCategoryIds }
  const account = { ...user, role: roles.map((role) => role.id), ...rights, collection: 'users' as const }
  return { user: { ...account, ...(strategyName ? { _strategy: strategyName } : {}) } }
}

/** Payload's admin and REST accept the site's own session and nothing else. */
export const siteSession = (resolve: ResolveAccessToken): AuthStrategy => ({
  name: 'site-session',
  authenticate: (args) => authenticate(args, resolve),
})
