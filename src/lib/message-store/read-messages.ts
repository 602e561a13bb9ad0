import type { GlobalMessages, MessageAudience, MessageSeverity } from '#contracts/http/global-message.ts'
import type { Locale } from '#contracts/locale.ts'
import { visibleMessages } from '#domain/messages/visible.ts'
import { authenticate } from '../../identity/sessions/authenticate.ts'
import type { IdentityContext } from '../../identity/context/context.ts'
import type { Sql } from '../../identity/context/database.ts'
import { readGrants } from '../../identity/people/people.ts'
import { readRecently } from '../site/read-recently.ts'
import { dismissedBy } from './dismissed-messages.ts'

type Stored = {
  readonly id: string
  readonly revision: string
  readonly severity: MessageSeverity
  readonly audience: MessageAudience
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly texts: Readonly<Partial<Record<Locale, string>>>
}

const READ = `
  select message.id, message.severity, message.audience,
    (extract(epoch from message.updated_at) * 1000)::bigint::text as revision,
    (extract(epoch from message."from") * 1000)::float8 as "fromMs",
    (extract(epoch from message."to") * 1000)::float8 as "toMs",
    (select jsonb_object_agg(words._locale, words.text) from public.global_messages_locales words
      where words._parent_id = message.id) as texts
  from public.global_messages message
  where message."to" is null or message."to" > to_timestamp($1::float8 / 1000)
  order by message.created_at desc, message.id desc limit 20`

/** Reads all messages that have not ended. Every open page polls every few seconds, so a result is reused for one second. */
export const createMessageStore = (db: Sql, now: () => number): (() => Promise<readonly Stored[]>) => {
  const recent = readRecently(() => db.query<Stored>(READ, [now()]), now)
  return () => recent('all')
}

const textIn = ({ texts }: Stored, locale: Locale): string => texts[locale] ?? texts.hu ?? texts.en ?? ''

type Asked = { readonly headers: Headers; readonly locale: Locale; readonly isSecure: boolean }

/** The messages for the sender of the request, in a language. An ended session gets the public messages. */
export const messagesFor = async (
  context: IdentityContext,
  read: () => Promise<readonly Stored[]>,
  { headers, locale, isSecure }: Asked,
): Promise<GlobalMessages> => {
  const stored = await read()
  const who = await authenticate(context, headers, isSecure)
  const reader = who.ok ? who.subject.userId : null
  const needsRole = stored.some(({ audience }) => audience === 'staff')
  const grants = reader !== null && needsRole ? await readGrants(context.db, reader) : null
  const isStaff = grants !== null && (grants.isAdmin || grants.isSupport)
  const circle = isStaff ? 'staff' : reader === null ? 'public' : 'customers'
  const visible = visibleMessages(stored, circle, context.clock.now())
  const closed = reader === null || visible.length === 0 ? [] : await dismissedBy(context.db, reader)
  const messages = visible.flatMap((message) => {
    if (closed.some(({ id, revision }) => id === message.id && revision === message.revision)) return []
    const text = textIn(message, locale)
    return text === '' ? [] : [{ id: message.id, revision: message.revision, severity: message.severity, text }]
  })
  return { reader, messages }
}
