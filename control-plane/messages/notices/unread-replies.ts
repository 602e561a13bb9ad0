import type { Sql } from '#platform/postgres/database.ts'

/** `unread` is the number of all of them. */
export type UnreadReply = { id: string; seq: bigint; text: string; author_id: string; unread: number }
type Asked = {
  readonly ticketId: string
  readonly userId: string
  /** The last line that was mailed to them. */
  readonly mailedSeq: bigint
  readonly most: number
}

/**
 * The ticket into which $1 was merged, and whether the mark `r` was set there after the merge: lines have one order in all tickets, so an
 * earlier mark says nothing of the merged ones. A merge that came by way of a third ticket is the last one into the target.
 */
const SINCE_MERGED = `select t.merged_into, r.read_seq >= (select coalesce(max(e.seq) filter (where e.ticket_id = t.id), max(e.seq))
    from control.ticket_messages e join control.tickets g on g.id = e.ticket_id
    where e.event = 'merged into' and e.about_id = t.merged_into and g.merged_into = t.merged_into)
  from control.tickets t where t.id = $1`

/** The newest replies of staff that somebody neither read nor got by mail, oldest first. */
export async function unreadReplies(sql: Sql, { ticketId, userId, mailedSeq, most }: Asked): Promise<UnreadReply[]> {
  const newest = await sql.query<UnreadReply>(
    `select m.id, m.seq, m.text, m.author_id, count(*) over ()::integer as unread from control.ticket_messages m
     where m.ticket_id = $1 and m.kind = 'message' and m.by_staff and m.author_id <> $2 and m.seq > $3
       and not exists (select 1 from control.ticket_reads r where r.user_id = $2 and r.read_seq >= m.seq
         and (r.ticket_id = $1 or (r.ticket_id, true) = (${SINCE_MERGED})))
     order by m.seq desc limit $4`,
    [ticketId, userId, mailedSeq, most],
  )
  return newest.reverse()
}
