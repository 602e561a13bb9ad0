import type { Sql } from '#platform/postgres/database.ts'
import type { StaffServer } from '#contracts/http/staff-documents.ts'

type Filter = { readonly userId: string; readonly limit?: number | undefined; readonly before?: string | undefined }
type Row = {
  readonly id: string
  readonly identifier: string
  readonly name: string
  readonly owner_id: string
  readonly expires_at: Date
  readonly is_deleted: boolean
}

const DEFAULT_PAGE = 50

/** A person's own servers, newest first, including deleted ones; `next` is where to continue before. */
export async function readStaffServers(
  sql: Sql,
  { userId, limit = DEFAULT_PAGE, before }: Filter,
): Promise<{ items: StaffServer[]; next: string | null }> {
  const rows = await sql.query<Row>(
    `select id, identifier, name, owner_id, expires_at, (deleted_at is not null or desired = 'deleted') as is_deleted
     from control.servers where owner_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [userId, before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map((row) => ({
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    ownerId: row.owner_id,
    expiry: row.expires_at.toISOString(),
    isDeleted: row.is_deleted,
  }))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
