import type { Payload } from 'payload'
import { roles } from './seed/content/roles.ts'
import { withPayload } from './start/with-payload.ts'

const SLUG = 'administrator'
const alone = { depth: 0, limit: 1, pagination: false, overrideAccess: true } as const

const roleId = async (payload: Payload): Promise<string> => {
  const found = await payload.find({ ...alone, collection: 'roles', where: { slug: { equals: SLUG } } })
  const [role] = found.docs
  if (role) return role.id
  const data = roles.find((each) => each.slug === SLUG)
  if (!data) throw new Error('There is no role of administrators to make')
  return (await payload.create({ collection: 'roles', data, overrideAccess: true })).id
}

/**
 * Adds the administrator role to an account, and creates the role if it does not exist. `account` is a user name or an
 * e-mail address. Returns the user name, or undefined for an unknown account.
 */
export const makeAdministrator = (databaseUrl: string, account: string): Promise<string | undefined> =>
  withPayload(databaseUrl, async (payload) => {
    const name = account.trim().toLowerCase()
    const where = { or: [{ username: { equals: name } }, { email: { equals: name } }] }
    const [user] = (await payload.find({ ...alone, collection: 'users', where })).docs
    if (!user) return undefined
    const has = (user.role ?? []).map((role) => (typeof role === 'string' ? role : role.id))
    const id = await roleId(payload)
    const data = { role: [...new Set([...has, id])] }
    await payload.update({ collection: 'users', id: user.id, depth: 0, overrideAccess: true, data })
    return user.username
  })
