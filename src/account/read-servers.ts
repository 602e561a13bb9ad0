import { SHOWN_SERVERS, serversOf, shownServer } from '#contracts/control-api/shown-server.ts'
import type { ShownServerRow } from '#contracts/control-api/shown-server.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Locale } from '#contracts/locale.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import { grantsOf } from '../identity/people/people.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { Page, SessionAnswer, SessionReader } from './session-read.ts'

type Row = { isAdmin: boolean | null } & (ShownServerRow | { id: null })

const READ = ofLivingSession('account servers', {
  columns: 'grants."isAdmin", server.*',
  joins: `left join lateral (${grantsOf('session.user_id')}) grants on true
    left join lateral (
      ${SHOWN_SERVERS} where ${serversOf('$2')} and ($4::uuid is null or s.id < $4) order by s.id desc limit $5
    ) server on true`,
  order: 'order by server.id desc',
})

/** Reads the body of `GET /api/user/servers`: own and shared servers, newest first. */
export const readServers = async (
  reader: SessionReader,
  { limit = MAX_ITEMS, before }: Page,
  locale: Locale,
): Promise<SessionAnswer<Server[]>> => {
  const answer = await readOfSession<Row>(reader, READ, [before ?? null, limit])
  if (answer === null) return null
  const { rows, freshness } = answer
  const { userId } = reader.subject
  const body = rows.flatMap((row) =>
    row.id === null
      ? []
      : [shownServer(row, { userId, isAdmin: row.isAdmin === true, locale, nowMs: freshness.asOfMs })],
  )
  return { body, freshness }
}
