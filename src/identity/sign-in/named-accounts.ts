import { createHash } from 'node:crypto'
import { accountBuckets } from '../people/account-limits.ts'
import type { Bucket } from '../people/account-limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { findKnownDevice } from '../sessions/devices.ts'
import { findAccount, findEntrant } from '../people/people.ts'
import type { Account } from '../people/people.ts'

/** An account that a name may refer to. `account` null: unknown, but counted and as costly as a known one. */
export type Named = {
  readonly account: Account | null
  /** The key that counts attempts on it. */
  readonly key: string
  /** The fingerprint of the device if this person signed in on it before. */
  readonly device: string | null
}

const LOGIN = { here: 'loginAccount', everywhere: 'loginAccountGlobal' } as const

const named = async (
  context: IdentityContext,
  account: Account | null,
  { standIn, device }: { standIn: string; device: string | null },
): Promise<Named> => ({
  account,
  key: account?.userId ?? standIn,
  device: await findKnownDevice(context, { userId: account?.userId ?? null, secret: device }),
})

/**
 * The accounts that the name of a sign-in may refer to: the owner of a username; for an e-mail address its verified
 * owner and the account that last entered it without verifying it, existing or not. All further steps treat each of
 * them alike, so that neither response, time, limits nor the security log reveal to a claimant that the address belongs
 * to another account (security case 15).
 */
export const whoIsNamed = async (
  context: IdentityContext,
  { name, device }: { name: string; device: string | null },
): Promise<Named[]> => {
  const hash = createHash('sha256').update(name.toLowerCase()).digest('base64url')
  const account = await findAccount(context.db, name)
  const owner = await named(context, account, { standIn: `name:${hash}`, device })
  if (!name.includes('@')) return [owner]
  const entered = await findEntrant(context.db, name)
  return [owner, await named(context, entered, { standIn: `entered:${hash}`, device })]
}

// On a known device only its own person is meant: other people's attempts do not count there, and no other password
// works.
const meant = (people: readonly Named[]): readonly Named[] => {
  const own = people.find(({ device }) => device !== null)
  return own ? [own] : people
}

/** The buckets that count an attempt. */
export const bucketsOf = (people: readonly Named[], origin: Origin): Bucket[] =>
  meant(people).flatMap(({ key, device }) => accountBuckets(LOGIN, { account: key, device }, origin))

/** The account that the password belongs to. Each candidate costs one check, whether it exists or not. */
export const provenAccount = async (
  { hasher }: Pick<IdentityContext, 'hasher'>,
  people: readonly Named[],
  { password }: { password: string },
): Promise<Account | null> => {
  const open = meant(people)
  let proven: Account | null = null
  for (const person of people) {
    const stored = open.includes(person) ? (person.account?.passwordHash ?? null) : null
    if (await hasher.verify(password, stored)) proven ??= person.account
  }
  return proven
}
