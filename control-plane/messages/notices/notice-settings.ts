import type { NotificationMatrix, NotificationSettings } from '#contracts/http/notification-settings.ts'
import { channelsOf, MATRIX_KEYS, type Chosen } from '#domain/notifications/matrix.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Row = { user_id: string; text: string; mail: boolean | null; push: boolean | null }

/** The choices of a person, by key; a key without a choice is absent. */
export async function readChosen(sql: Sql, userId: string): Promise<ReadonlyMap<string, Chosen>> {
  return (await readChosenOf(sql, [userId])).get(userId) ?? new Map<string, Chosen>()
}

/** The same by person; a person without choices is absent. */
export async function readChosenOf(
  sql: Sql,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Chosen>>> {
  const rows = await sql.query<Row>(
    'select user_id, text, mail, push from control.notification_settings where user_id = any ($1)',
    [userIds],
  )
  const said = new Map<string, Map<string, Chosen>>()
  for (const { user_id: userId, text, mail, push } of rows) {
    said.set(userId, (said.get(userId) ?? new Map<string, Chosen>()).set(text, { mail, push }))
  }
  return said
}

type Who = { readonly userId: string; readonly sessionId: string | null }

const browsersOf = async (sql: Sql, { userId, sessionId }: Who): Promise<{ browsers: number; isHere: boolean }> => {
  const [row] = await sql.query<{ browsers: bigint; is_here: boolean | null }>(
    `select count(*) as browsers, bool_or(session_id = $2) as is_here from control.push_subscriptions where user_id = $1`,
    [userId, sessionId],
  )
  return { browsers: Number(row?.browsers ?? 0), isHere: row?.is_here ?? false }
}

/** A person's current matrix, and whether they have a browser with push notifications. */
export async function readNoticeSettings(sql: Sql, who: Who, publicKey: string): Promise<NotificationSettings> {
  const [chosen, found] = [await readChosen(sql, who.userId), await browsersOf(sql, who)]
  const hasBrowser = found.browsers > 0
  const rows = MATRIX_KEYS.map((key) => [key, channelsOf(key, { chosen: chosen.get(key), hasBrowser })] as const)
  return { matrix: Object.fromEntries(rows) as NotificationMatrix, push: { publicKey, ...found } }
}

/**
 * Writes a person's matrix. Push choices stay unchanged while no browser is subscribed, because the page does not offer
 * them.
 */
export async function changeNoticeSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { who, matrix }: { who: Who; matrix: NotificationMatrix },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { browsers } = await browsersOf(tx, who)
    const wishes = MATRIX_KEYS.map((key) => ({ key, ...matrix[key] }))
    await tx.query(
      `insert into control.notification_settings (user_id, text, mail, push, updated_at)
       select $1, wish.key, wish.mail, case when $3 then wish.push end, $4
       from jsonb_to_recordset($2::jsonb) as wish (key text, mail boolean, push boolean)
       on conflict (user_id, text) do update
       set mail = excluded.mail, push = coalesce(excluded.push, notification_settings.push), updated_at = excluded.updated_at`,
      [who.userId, JSON.stringify(wishes), browsers > 0, new Date(clock.now())],
    )
  })
}
