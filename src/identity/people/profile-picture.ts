import type { Square } from '#domain/users/picture.ts'
import { recordActivity } from './activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { codePicture } from './picture-codec.ts'
import type { PictureRefusal } from './picture-codec.ts'

type Context = Pick<IdentityContext, 'db' | 'clock' | 'ids'>
type Upload = { readonly userId: string; readonly bytes: Uint8Array; readonly crop: Square | null }

/** 192 random bits as 32 characters of an address. */
const drawPictureId = ({ ids }: Pick<Context, 'ids'>): string => Buffer.from(ids.bytes(24)).toString('base64url')

/** Replaces the current picture, whose id no longer exists afterwards. Returns the new id. */
export const savePicture = async (
  context: Context,
  { userId, bytes, crop }: Upload,
  { address }: Pick<Origin, 'address'>,
): Promise<{ ok: true; id: string } | { ok: false; code: PictureRefusal }> => {
  const coded = await codePicture(bytes, crop)
  if (!coded.ok) return coded
  const id = drawPictureId(context)
  await context.db.transaction(async (tx) => {
    await tx.query(
      `insert into identity.profile_pictures (user_id, id, bytes, created_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set id = excluded.id, bytes = excluded.bytes, created_at = excluded.created_at`,
      [userId, id, coded.webp, new Date(context.clock.now())],
    )
    await recordActivity(tx, context, { userId, type: 'account.picture', status: 'success', address })
  })
  return { ok: true, id }
}

/** Removes a person's picture, if there is one. */
export const removePicture = async (
  context: Context,
  { userId }: { userId: string },
  { address }: Pick<Origin, 'address'>,
): Promise<void> => {
  await context.db.transaction(async (tx) => {
    const gone = await tx.query('delete from identity.profile_pictures where user_id = $1 returning 1', [userId])
    if (gone.length === 0) return
    await recordActivity(tx, context, { userId, type: 'account.picture-removed', status: 'success', address })
  })
}

/** The webp of a picture, or null for an unknown id. */
export const readPicture = async (sql: Sql, id: string): Promise<Buffer | null> => {
  const [row] = await sql.query<{ bytes: Buffer }>('select bytes from identity.profile_pictures where id = $1', [id])
  return row?.bytes ?? null
}

/** The ids of people's pictures, by person. */
export const readPictureIds = async (sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (userIds.length === 0) return new Map()
  const rows = await sql.query<{ user_id: string; id: string }>(
    'select user_id, id from identity.profile_pictures where user_id = any ($1)',
    [userIds],
  )
  return new Map(rows.map(({ user_id: userId, id }) => [userId, id]))
}
