import { createHash } from 'node:crypto'
import { accountBuckets } from '../people/account-limits.ts'
import type { Bucket } from '../people/account-limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { findKnownDevice } from '../sessions/devices.ts'
import { findAccount, findEntrant } from '../people/people.ts'
import type { Account } from '../people/people.ts'

/** Somebody whom a name may mean. `account` null: nobody, who is counted and costs as much as somebody. */
export type Named = {
  readonly account: Account | null
  /** What the attempts on it are counted by. */
  readonly key: string
  /** The fingerprint of the device, when this person signed in on it before. */
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
 * Whom the name of a sign-in means: the owner of a username; of an e-mail address who confirmed it and who entered it last without
 * confirming it, there or not. What follows does the same for each of them, so that neither answer, time, limits nor the security
 * log tell who entered an address whether it is another account's (security case 15).
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

// On a device of their own a person is the only one who is meant: nobody else's attempts count there, and no other password opens.
const meant = (people: readonly Named[]): readonly Named[] => {
  const own = people.find(({ device }) => device !== null)
  return own ? [own] : people
}

/** The buckets that an attempt is taken out of. */
export const bucketsOf = (people: readonly Named[], origin: Origin): Bucket[] =>
  meant(people).flatMap(({ key, device }) => accountBuckets(LOGIN, { account: key, device }, origin))

/** Whose password it is. Each of them costs one check, whether there is such a person or not. */
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
