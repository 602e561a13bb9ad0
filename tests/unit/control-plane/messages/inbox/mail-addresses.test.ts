import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mailAddresses } from '../../../../../control-plane/messages/inbox/mail-addresses.ts'

const addresses = mailAddresses('Tickets@Host.example', 'a secret')
const identifier = fc.string({ unit: fc.constantFrom(...'acdefghjkmnpqrtuvwxy34679'), minLength: 8, maxLength: 8 })
const ticket = fc.record({ ticketId: fc.uuid(), userId: fc.uuid(), identifier })

it('a reply address is found in any case and belongs to its person and ticket alone', () => {
  fc.assert(
    fc.property(ticket, ticket, (one, other) => {
      const address = addresses.replyTo(one)
      expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
      const [found] = addresses.find([`"x" <${address.toUpperCase()}>, y@z.example`])
      expect(found).toMatchObject({ kind: 'reply', identifier: one.identifier })
      const mark = found?.mark ?? ''
      expect(addresses.isReplyOf(mark, one)).toBe(true)
      expect(addresses.isReplyOf(mark, { ...one, userId: other.userId })).toBe(false)
      expect(addresses.isReplyOf(mark, { ...one, ticketId: other.ticketId })).toBe(false)
      expect(mailAddresses('tickets@host.example', 'another').isReplyOf(mark, one)).toBe(false)
    }),
  )
})

it('a bounce address names its mail, and no other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (mailId, other) => {
      const address = addresses.bounceTo(mailId)
      expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
      const [found] = addresses.find([address])
      expect(found).toMatchObject({ kind: 'bounce', mailId })
      expect(addresses.isBounceOf(found?.mark ?? '', mailId)).toBe(true)
      expect(addresses.isBounceOf(found?.mark ?? '', other)).toBe(mailId === other)
    }),
  )
})

it('no text makes the search throw, and no address of another domain is found', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), ticket, (text, one) => {
      addresses.find([text])
      expect(addresses.find([`${addresses.replyTo(one)}.evil.example`, `x${addresses.replyTo(one)}`])).toEqual([])
    }),
  )
})
