import type { Payload } from 'payload'

export type AccountSeed = {
  username: string
  email: string
  password: string
  /** Slugs of roles; empty for a customer. */
  roles: readonly ('administrator' | 'support')[]
  language?: 'en' | 'hu' | 'de'
}

/** Sets an account's password; the identity part stores it outside the CMS. */
export type SetPassword = (account: { userId: string; password: string }) => Promise<void>

const findId = async (payload: Payload, username: string): Promise<string | undefined> => {
  const found = await payload.find({
    collection: 'users',
    where: { username: { equals: username } },
    depth: 0,
    limit: 1,
    pagination: false,
    overrideAccess: true,
  })
  return found.docs[0]?.id
}

const roleIds = async (payload: Payload, slugs: readonly string[]): Promise<string[]> => {
  if (slugs.length === 0) return []
  const found = await payload.find({
    collection: 'roles',
    where: { slug: { in: [...slugs] } },
    depth: 0,
    pagination: false,
    overrideAccess: true,
  })
  if (found.docs.length !== slugs.length) throw new Error(`Roles are missing: ${slugs.join(', ')}`)
  return found.docs.map((role) => role.id)
}

/** Creates the account if its username is free, and always sets the password. Returns the account's id. */
export const seedAccount = async (
  payload: Payload,
  account: AccountSeed,
  setPassword: SetPassword,
): Promise<string> => {
  const { username, email, password, roles, language = 'hu' } = account
  const existing = await findId(payload, username)
  const id =
    existing ??
    (
      await payload.create({
        collection: 'users',
        data: {
          username,
          email,
          language,
          verified: true,
          invoiceType: 'electronic',
          role: await roleIds(payload, roles),
        },
        context: { disableRevalidate: true },
        overrideAccess: true,
      })
    ).id
  await setPassword({ userId: id, password })
  return id
}
