import { sql } from '@payloadcms/db-postgres'
import { APIError } from 'payload'
import type {
  CollectionBeforeChangeHook,
  CollectionBeforeDeleteHook,
  CollectionAfterChangeHook,
  FilterOptionsProps,
  PayloadRequest,
  Where,
} from 'payload'
import { refuseAssignment, refuseRoleChange } from '#domain/users/roles.ts'
import type { Actor, RoleFlags, RoleRefusal } from '#domain/users/roles.ts'
import { grantsOf } from '../access/grants.ts'
import { statementsOf } from './statements.ts'
import { textIn, words } from '../fields/languages.ts'
import type { Words } from '../fields/languages.ts'

const sentences: Record<RoleRefusal, Words> = {
  OWN_ROLE: words(
    "You can't change one of your own roles. Ask another administrator.",
    'Ez a saját szerepköröd, ezért más kell hogy módosítsa.',
    'Das ist eine deiner eigenen Rollen: Jemand anderes muss sie ändern.',
  ),
  HIGHER_ROLE: words(
    'This role is higher than yours.',
    'Ez a szerepkör magasabb a tiédnél.',
    'Diese Rolle steht über deiner.',
  ),
  INACTIVE_ROLE: words(
    "An inactive role can't be assigned.",
    'Inaktív szerepkör nem osztható ki.',
    'Eine inaktive Rolle kann nicht vergeben werden.',
  ),
  LAST_ADMINISTRATOR: words(
    'No administrator would be left.',
    'Így nem maradna egyetlen adminisztrátor sem.',
    'Dann gäbe es keinen Administrator mehr.',
  ),
}

const refuse = (refusal: RoleRefusal | null, req: PayloadRequest): void => {
  if (refusal === null) return
  throw new APIError(textIn(req.i18n.language, sentences[refusal]), 409, undefined, true)
}

const idOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : undefined
}
/** The ids of related documents, whether they are populated or not. */
export const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => idOf(each) ?? [])

// The sender of the request; for the product's own code, which has none, only the last-administrator rule applies.
const actorOf = (req: PayloadRequest): Actor | undefined =>
  req.user ? { roleIds: idsOf(req.user.role), grants: grantsOf(req) } : undefined

/** A stored role. */
export type StoredRole = {
  id: string
  isAdmin?: boolean | null
  isSupport?: boolean | null
  active: boolean
  twoFactorRequired?: boolean | null
}

export const flagsOf = (role: StoredRole): RoleFlags => ({
  id: role.id,
  isAdmin: role.isAdmin === true,
  isSupport: role.isSupport === true,
  active: role.active,
  twoFactorRequired: role.twoFactorRequired === true,
})

const rolesOf = async (ids: readonly string[], req: PayloadRequest): Promise<RoleFlags[]> => {
  if (ids.length === 0) return []
  const where = { id: { in: [...ids] } }
  const { docs } = await req.payload.find({
    collection: 'roles',
    where,
    depth: 0,
    pagination: false,
    overrideAccess: true,
    req,
  })
  return docs.map(flagsOf)
}

/** Nobody changes their own role or a higher one. */
export const guardRole: CollectionBeforeChangeHook = ({ data, originalDoc, operation, req }) => {
  const actor = actorOf(req)
  if (actor && operation === 'update') {
    const before = flagsOf(originalDoc as StoredRole)
    const after = { isAdmin: data['isAdmin'] === true, isSupport: data['isSupport'] === true }
    refuse(refuseRoleChange(actor, { before, after }), req)
  }
  return data
}

/** Nobody deletes their own role or a higher one. */
export const guardRoleDeletion: CollectionBeforeDeleteHook = async ({ id, req }) => {
  const actor = actorOf(req)
  const [before] = await rolesOf([String(id)], req)
  if (actor && before) refuse(refuseRoleChange(actor, { before, after: undefined }), req)
}

/** The roles that a person may be given: active ones, and inactive ones that they already have. */
export const assignableRoles = async ({ id, req }: Pick<FilterOptionsProps, 'id' | 'req'>): Promise<Where> => {
  const where = { id: { equals: id ?? '' } }
  const find = { collection: 'users', where, depth: 0, limit: 1, pagination: false, overrideAccess: true, req } as const
  const [user] = id === undefined ? [] : (await req.payload.find(find)).docs
  return { or: [{ active: { equals: true } }, { id: { in: idsOf(user?.role) } }] }
}

/** Only a person of at least the same rank assigns and removes roles, and no inactive role is assigned. */
export const guardAssignment: CollectionBeforeChangeHook = async ({ data, originalDoc, req }) => {
  const actor = actorOf(req)
  if (!actor || data['role'] === undefined) return data
  const [hadIds, hasIds] = [idsOf(originalDoc?.['role']), idsOf(data['role'])]
  if (hadIds.length === hasIds.length && hadIds.every((id) => hasIds.includes(id))) return data
  const roles = await rolesOf([...new Set([...hadIds, ...hasIds])], req)
  const pick = (ids: readonly string[]) => roles.filter(({ id }) => ids.includes(id))
  refuse(refuseAssignment(actor, { before: pick(hadIds), after: pick(hasIds) }), req)
  return data
}

const COUNT = sql`
  select count(distinct rel.parent_id)::int as administrators
  from public.users_rels rel join public.roles role on role.id = rel.roles_id
    join public.users person on person.id = rel.parent_id and not coalesce(person.suspended, false)
      and coalesce(person.account_state, 'active') = 'active'
  where rel.path = 'role' and role.active and role.is_admin`

const grantsAdministration = (doc: unknown): boolean =>
  typeof doc === 'object' &&
  doc !== null &&
  'isAdmin' in doc &&
  doc.isAdmin === true &&
  'active' in doc &&
  doc.active === true

/** Whether a change of this document, a person or a role, may have removed an administrator. */
const takesAway = (before: Record<string, unknown> | undefined, after: Record<string, unknown>): boolean => {
  const kept = idsOf(after['role'])
  if (idsOf(before?.['role']).some((id) => !kept.includes(id))) return true
  if (before?.['suspended'] !== true && after['suspended'] === true) return true
  return grantsAdministration(before) && !grantsAdministration(after)
}

/**
 * Refuses a change that would leave no administrator. It checks after the change, in its transaction and one at a time:
 * two administrators who demote one another at once would otherwise each see the other.
 */
export const keepAdministrator: CollectionAfterChangeHook = async ({ doc, previousDoc, operation, req }) => {
  if (operation === 'create' || !takesAway(previousDoc, doc)) return doc
  const statements = await statementsOf<{ administrators: number }>(req)
  await statements.execute(sql`select pg_advisory_xact_lock(hashtext('administrators'))`)
  const { rows } = await statements.execute(COUNT)
  if (rows[0]?.administrators === 0) refuse('LAST_ADMINISTRATOR', req)
  return doc
}
