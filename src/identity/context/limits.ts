import { createHash } from 'node:crypto'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import type { RouteClass } from '#contracts/http/limits.ts'
import { mailboxOf } from '#domain/users/mailbox.ts'
import { addressKey } from '#platform/address-key.ts'

/** The key of one bucket: its class and the counted party. `account` is a user id or a substitute for one. */
export const bucketKey = (name: RouteClass, who: { address: string; account?: string | undefined }): string => {
  const account = who.account ?? ''
  const parts = {
    address: [addressKey(who.address)],
    account: [account],
    'address-and-account': [addressKey(who.address), account],
  }[ROUTE_LIMITS[name].key]
  return [name, ...parts].join('|')
}

/**
 * The key of a mailbox in place of an account: all of its addresses share it, and an unknown one is counted like a known
 * one.
 */
export const mailboxKey = (email: string): string => createHash('sha256').update(mailboxOf(email)).digest('base64url')
