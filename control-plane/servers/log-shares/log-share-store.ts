import { createHash } from 'node:crypto'
import type { LogShare, SharedLog } from '#contracts/http/panel/log-share.ts'
import { LocalizedText } from '#contracts/locale.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'

/** The stored form of a link's token. A reader of the database cannot open the link. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const ShareRow = z.object({
  id: z.string(),
  made_by: z.string(),
  lines: z.int(),
  created_at: z.date(),
  ends_at: z.date(),
})

export const shownShare = (row: z.infer<typeof ShareRow>, viewerId: string): LogShare => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  lines: row.lines,
  mine: row.made_by === viewerId,
})

/** The open links of a server, newest first; of one maker, or of everybody for null. */
export async function openShares(
  sql: Sql,
  { serverId, madeBy, nowMs }: { serverId: string; madeBy: string | null; nowMs: number },
): Promise<z.infer<typeof ShareRow>[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `select id, made_by, lines, created_at, ends_at from control.log_shares
     where server_id = $1 and ends_at > $2 and ($3::uuid is null or made_by = $3::uuid) order by created_at desc, id desc`,
    [serverId, new Date(nowMs), madeBy],
  )
  return rows.map((row) => ShareRow.parse(row))
}

/** A link to store. The text is the redacted one. */
export type NewShare = {
  readonly id: string
  readonly token: string
  readonly serverId: string
  readonly madeBy: string
  readonly text: string
  readonly createdMs: number
  readonly endsMs: number
}

export async function insertShare(tx: Sql, share: NewShare): Promise<z.infer<typeof ShareRow>> {
  const row = {
    id: share.id,
    made_by: share.madeBy,
    lines: share.text.split('\n').length,
    created_at: new Date(share.createdMs),
    ends_at: new Date(share.endsMs),
  }
  await tx.query(
    `insert into control.log_shares (id, token_hash, server_id, made_by, text, lines, created_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.id, hashOf(share.token), share.serverId, row.made_by, share.text, row.lines, row.created_at, row.ends_at],
  )
  return row
}

const SharedRow = z.object({
  server_id: z.string(),
  made_by: z.string(),
  text: z.string(),
  created_at: z.date(),
  ends_at: z.date(),
  service_name: LocalizedText,
})

/** The range behind a link that has not ended, with its maker; undefined for any other token. */
export async function findShare(
  sql: Sql,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<{ readonly serverId: string; readonly madeBy: string; readonly log: SharedLog } | undefined> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select l.server_id, l.made_by, l.text, l.created_at, l.ends_at, s.service_name
     from control.log_shares l join control.servers s on s.id = l.server_id
     where l.token_hash = $1 and l.ends_at > $2`,
    [hashOf(token), new Date(nowMs)],
  )
  if (row === undefined) return undefined
  const found = SharedRow.parse(row)
  return {
    serverId: found.server_id,
    madeBy: found.made_by,
    log: {
      text: found.text,
      createdAt: found.created_at.toISOString(),
      endsAt: found.ends_at.toISOString(),
      game: found.service_name,
    },
  }
}

/** Removes a link of this server, for its maker or, with null, for everybody who may end it. Says whether there was one. */
export async function deleteLogShare(
  tx: Sql,
  { serverId, shareId, madeBy, nowMs }: { serverId: string; shareId: string; madeBy: string | null; nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `delete from control.log_shares where server_id = $1 and id = $2 and ends_at > $3
       and ($4::uuid is null or made_by = $4::uuid) returning 1`,
    [serverId, shareId, new Date(nowMs), madeBy],
  )
  return rows.length > 0
}
