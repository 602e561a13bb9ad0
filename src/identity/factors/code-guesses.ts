import type { RouteClass } from '#contracts/http/limits.ts'
import type { Bucket } from '../people/account-limits.ts'
import { bucketKey } from '../context/limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { wayToSafety } from '../mails/factor-undo.ts'
import { canReceive, enqueueMail, ONE_DAY_MINUTES, oneLine } from '../mails/mail-outbox.ts'
import { readMailbox } from '../people/people.ts'

/** Codes of an authenticator app that are right at one moment, out of a million: one step early, present, one step late. */
export const RIGHT_CODES = 3
export const POSSIBLE_CODES = 1_000_000

/** The classes that count guesses: together they bound an account's guesses a day, from everywhere. */
export const GUESS_CLASSES = ['codeGuessStranger', 'codeGuessKnown'] as const satisfies readonly RouteClass[]

/** Whether a typed code is a guess among a million. Recovery codes are far too long to be guessed. */
export const isGuess = (code: string): boolean => /^[0-9]{6}$/.test(code)

/**
 * The bucket that counts a guess at an account's code. Neither address nor device has a bucket of its own: an attacker
 * has many of both.
 */
export const guessBuckets = (
  { account, device }: { account: string; device: string | null },
  { address }: Pick<Origin, 'address'>,
): Bucket[] => {
  const name = device === null ? 'codeGuessStranger' : 'codeGuessKnown'
  return [{ name, key: bucketKey(name, { address, account }) }]
}

/** A person types a wrong code now and then: this many within a day are worth a notification. */
const TELLING = 3
const DAY_MS = 86_400_000

const countWrongCodes = async (sql: Sql, userId: string, since: Date): Promise<number> => {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from identity.activities
     where user_id = $1 and type = 'login.code' and status = 'failure' and created_at > $2`,
    [userId, since],
  )
  return row?.n ?? 0
}

/**
 * Notifies the owner, by mail and at the bell, that somebody with the right password guesses at codes: at the third
 * wrong one within a day, and once a day.
 */
export const tellOfGuesses = async (context: IdentityContext, userId: string, origin: Origin): Promise<void> => {
  const nowMs = context.clock.now()
  if ((await countWrongCodes(context.db, userId, new Date(nowMs - DAY_MS))) < TELLING) return
  const mailbox = await readMailbox(context.db, userId)
  if (!mailbox || !canReceive(mailbox)) return
  const once = await context.limits.take(
    'codeGuessNotice',
    bucketKey('codeGuessNotice', { ...origin, account: userId }),
  )
  if (!once.ok) return
  const { username, email, language } = mailbox
  await context.db.transaction(async (tx) => {
    const seen = { address: oneLine(origin.address) || '?', at: new Date(nowMs).toISOString() }
    const way = await wayToSafety(tx, context, mailbox)
    const content = { kind: 'code-guesses', params: { username, ...seen, ...way } } as const
    const bell = { userId, text: 'security.codes' } as const
    await enqueueMail(tx, context, { to: email, language, content, bell, minutes: ONE_DAY_MINUTES, requestId: '' })
  })
}
