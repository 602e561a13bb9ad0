import { expect, it } from 'vitest'
import { REPLY_MAIL_AFTER_MS, REPLY_MAIL_LIFE_MS } from '#domain/tickets/reply-mail.ts'

it('a reply is mailed after minutes, while it is still worth something', () => {
  expect(REPLY_MAIL_AFTER_MS).toBe(180_000)
  expect(REPLY_MAIL_AFTER_MS).toBeLessThan(REPLY_MAIL_LIFE_MS)
})
