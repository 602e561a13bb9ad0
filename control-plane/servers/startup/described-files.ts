import type { Caller } from '#contracts/internal-api/calls.ts'
import { describedIn, type DescribedFiles } from '#contracts/panel/described-files.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { readTemplateFiles } from '../../cms/catalog-reader.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf } from '../access/server-access.ts'
import type { StartTimesRefusal } from './start-times.ts'

type Asked = { readonly caller: Pick<Caller, 'userId' | 'isAdmin' | 'locale'>; readonly serverId: string }

/** Reads what a server's template says of its files, for somebody who may read them. */
export async function readDescribedFiles(
  { db }: Pick<Context, 'db'>,
  { caller, serverId }: Asked,
): Promise<{ readonly ok: true; readonly described: DescribedFiles } | StartTimesRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions } = access
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/described-files']
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const files = await readTemplateFiles(db, server.templateId)
  return { ok: true, described: { files: describedIn(files, caller.locale) } }
}
