import * as z from 'zod'
import { LOG_SHARE_BOUNDS, LOG_SHARE_HOURS } from '#domain/servers/log-share.ts'
import { LocalizedText } from '../../locale.ts'
import { Id, Instant } from '../../primitives.ts'

/** A range of a server's log to share. The text is redacted again by whoever stores it. */
export const LogShareRequest = z.object({
  text: z.string().max(2 * LOG_SHARE_BOUNDS.bytes),
  hours: z.literal([...LOG_SHARE_HOURS]),
})
export type LogShareRequest = z.infer<typeof LogShareRequest>

/** A shared range that has not ended. `mine`: the caller made it. */
export const LogShare = z.object({
  id: Id,
  createdAt: Instant,
  endsAt: Instant,
  lines: z.int(),
  mine: z.boolean(),
})
export type LogShare = z.infer<typeof LogShare>

/** The caller's own shared ranges; for the server's owner everybody's. Newest first. */
export const LogShareList = z.object({ items: z.array(LogShare) })
export type LogShareList = z.infer<typeof LogShareList>

/** `path` is that of the public page on the site. It is told once: only a hash of its token is kept. */
export const LogShareCreated = z.object({ share: LogShare, path: z.string() })
export type LogShareCreated = z.infer<typeof LogShareCreated>

export const LogSharePath = z.object({ id: Id, shareId: Id })

/** The token of a shared range: 24 random bytes as base64url. */
export const LOG_SHARE_TOKEN = /^[\w-]{32}$/

/** A shared range as its public page shows it. Null for a link that ended or never was. */
export const SharedLog = z.object({ text: z.string(), createdAt: Instant, endsAt: Instant, game: LocalizedText })
export type SharedLog = z.infer<typeof SharedLog>
