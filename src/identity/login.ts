import { createHash } from 'node:crypto'
import type { RouteClass } from '#contracts/http/limits.ts'
import type { IdentityContext, Origin } from './context.ts'
import { findKnownDevice, rememberDevice } from './devices.ts'
import { bucketKey } from './limits.ts'
import type { LimitAnswer } from './limit-store.ts'
import { findAccount } from './people.ts'
import { openSession } from './sessions.ts'
import type { Tokens } from './sessions.ts'

export type LoginAnswer =
  | { readonly ok: true; readonly tokens: Tokens; readonly device: string }
  | { readonly ok: false; readonly code: 'INVALID_CREDENTIALS' }
  | { readonly ok: false; readonly code: 'TOO_MANY_REQUESTS'; readonly retryAfterSeconds: number }

/** `device` is the secret of the device's own cookie, when it has one. */
export type Login = { readonly name: string; readonly password: string; readonly device: string | null }

type Bucket = { readonly name: RouteClass; readonly key: string }

const tooMany = (limit: LimitAnswer & { ok: false }): LoginAnswer => ({
  ok: false,
  code: 'TOO_MANY_REQUESTS',
  retryAfterSeconds: limit.retryAfterSeconds,
})

// A name that nobody has is counted as an account is: the answers do not tell which names exist.
const accountKey = (userId: string | undefined, name: string) =>
  userId ?? `name:${createHash('sha256').update(name.toLowerCase()).digest('base64url')}`

// On a device that already signed in, the account's buckets are the device's own: whoever floods them elsewhere
// does not lock the owner out (security case 12).
const accountBuckets = (account: string, device: string | null, origin: Origin): Bucket[] =>
  device === null
    ? [
        { name: 'loginAccount', key: bucketKey('loginAccount', { ...origin, account }) },
        { name: 'loginAccountGlobal', key: bucketKey('loginAccountGlobal', { ...origin, account }) },
      ]
    : [
        {
          name: 'loginAccountGlobal',
          key: bucketKey('loginAccountGlobal', { ...origin, account: `${account}|${device}` }),
        },
      ]

const takeAll = async (context: IdentityContext, buckets: readonly Bucket[]): Promise<LimitAnswer> => {
  for (const [at, bucket] of buckets.entries()) {
    const limit = await context.limits.take(bucket.name, bucket.key)
    if (limit.ok) continue
    for (const taken of buckets.slice(0, at)) await context.limits.giveBack(taken.name, taken.key)
    return limit
  }
  return { ok: true }
}

/**
 * Signs in with a username or an e-mail address. Every limit is asked before a password is hashed; an unknown name costs
 * the same work and gets the same answer as a wrong password.
 */
export const login = async (context: IdentityContext, attempt: Login, origin: Origin): Promise<LoginAnswer> => {
  const address = await context.limits.take('login', bucketKey('login', origin))
  if (!address.ok) return tooMany(address)
  const account = await findAccount(context.db, attempt.name)
  const device = await findKnownDevice(context, { userId: account?.userId ?? null, secret: attempt.device })
  const buckets = accountBuckets(accountKey(account?.userId, attempt.name), device, origin)
  const limit = await takeAll(context, buckets)
  if (!limit.ok) return tooMany(limit)
  const isRight = await context.hasher.verify(attempt.password, account?.passwordHash ?? null)
  if (!account || !isRight) return { ok: false, code: 'INVALID_CREDENTIALS' }
  // Only failures count against an account.
  for (const bucket of buckets) await context.limits.giveBack(bucket.name, bucket.key)
  const tokens = await openSession(context, account.userId, origin)
  return { ok: true, tokens, device: await rememberDevice(context, account.userId, attempt.device) }
}
