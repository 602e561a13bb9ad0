import { sql } from '@payloadcms/db-postgres'
import type { CollectionAfterChangeHook } from 'payload'
import { lostByRoleChange } from '#domain/users/roles.ts'
import { flagsOf, idsOf } from './role-rules.ts'
import type { StoredRole } from './role-rules.ts'
import { statementsOf } from './statements.ts'

// The identity part owns sessions. Permissions are read with each call, but sockets at the gateway and at nodes were
// opened with earlier permissions: the sessions end in the transaction of the change, and their sockets with them.

/** Ends the locks of people who may no longer edit: others would wait five minutes for them. */
const releaseLocks = (people: ReturnType<typeof sql>) => sql`
  delete from public.payload_locked_documents where id in (
    select parent_id from public.payload_locked_documents_rels where path = 'user' and users_id in (${people}))`

/** A person who loses a role or is suspended is signed out everywhere. */
export const endAccessOfPerson: CollectionAfterChangeHook = async ({ doc, previousDoc, operation, req }) => {
  if (operation === 'create') return doc
  const kept = idsOf(doc.role)
  const isSuspended = previousDoc?.suspended !== true && doc.suspended === true
  if (!isSuspended && idsOf(previousDoc?.role).every((id) => kept.includes(id))) return doc
  const reason = isSuspended ? 'account suspended' : 'role removed'
  const statements = await statementsOf(req)
  await statements.execute(sql`select identity.end_access(array[${doc.id}::uuid], ${reason})`)
  await statements.execute(releaseLocks(sql`select ${doc.id}::uuid`))
  return doc
}

/** People with a role whose permissions shrink are signed out everywhere. */
export const endAccessByRole: CollectionAfterChangeHook = async ({ doc, previousDoc, operation, req }) => {
  if (operation === 'create') return doc
  const lost = lostByRoleChange(flagsOf(previousDoc as StoredRole), flagsOf(doc as StoredRole))
  if (lost === 'nobody') return doc
  const statements = await statementsOf(req)
  await statements.execute(sql`
    select identity.end_access(array_agg(distinct rel.parent_id), 'role changed') from public.users_rels rel
    where rel.path = 'role' and rel.roles_id = ${doc.id}::uuid
      and (${lost === 'everybody'} or not identity.has_factor(rel.parent_id))`)
  await statements.execute(
    releaseLocks(sql`select parent_id from public.users_rels where path = 'role' and roles_id = ${doc.id}::uuid`),
  )
  return doc
}
