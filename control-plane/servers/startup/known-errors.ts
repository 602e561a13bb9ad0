import type { StaffKnownErrors } from '#contracts/http/panel/known-errors.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { newestStaffRule, staffRuleOf } from '#domain/known-errors/staff-rules.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readKnownErrors } from '../../cms/catalog-reader.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf } from '../access/server-access.ts'
import type { StartTimesRefusal } from './start-times.ts'

/** The title of the staff's rule for a template that the last lines of a program match; undefined where none does. */
export async function staffErrorIn(
  sql: Sql,
  templateId: string,
  lines: readonly string[],
): Promise<LocalizedText | undefined> {
  if (lines.length === 0) return undefined
  const errors = await readKnownErrors(sql, templateId)
  const found = newestStaffRule(
    lines,
    errors.map(staffRuleOf).filter((rule) => rule !== undefined),
  )
  return errors.find(({ id }) => id === found?.id)?.title
}

type Asked = { readonly caller: Pick<Caller, 'userId' | 'isAdmin' | 'locale'>; readonly serverId: string }

/** Reads staff's rules for a server's template, for somebody who may read its console. */
export async function readServerKnownErrors(
  { db }: Pick<Context, 'db'>,
  { caller, serverId }: Asked,
): Promise<{ readonly ok: true; readonly errors: StaffKnownErrors } | StartTimesRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions, isStaff } = access
  if (server.suspended && !isStaff) return { ok: false, code: 'SERVER_SUSPENDED' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/known-errors']
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const rules = (await readKnownErrors(db, server.templateId)).map(({ id, title, explanation, pattern, actions }) => ({
    id,
    title: title[caller.locale],
    explanation: explanation[caller.locale],
    pattern,
    actions,
  }))
  return { ok: true, errors: { rules } }
}
