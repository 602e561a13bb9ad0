import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mailboxOf } from '../../../../src/domain/users/mailbox.ts'

describe('the name of a mailbox', () => {
  test.each([
    ['promo@example.test', 'promo@example.test'],
    ['Promo@EXAMPLE.test', 'promo@example.test'],
    ['promo+1@example.test', 'promo@example.test'],
    ['promo+a+b@example.test', 'promo@example.test'],
    ['pro.mo@example.test', 'pro.mo@example.test'],
    ['p.r.o.m.o+x@gmail.com', 'promo@gmail.com'],
    ['promo@googlemail.com', 'promo@gmail.com'],
    ['pro_mo-x@protonmail.com', 'promox@proton.me'],
    ['pro.mo@mac.com', 'pro.mo@icloud.com'],
    ['+1@example.test', '+1@example.test'],
    ['...@gmail.com', '...@gmail.com'],
    ['no address', 'no address'],
  ])('%s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox)
  })

  const local = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}[a-z0-9]$/)
  const tag = fc.stringMatching(/^[a-z0-9.+-]{0,10}$/)
  const domain = fc.constantFrom(
    'gmail.com',
    'googlemail.com',
    'proton.me',
    'icloud.com',
    'example.test',
    'sub.example.test',
  )
  const upper = (text: string) => text.toUpperCase()

  test('does not depend on case or on the part after a plus', () => {
    fc.assert(
      fc.property(local, tag, domain, (name, plus, host) => {
        expect(mailboxOf(`${upper(name)}+${plus}@${upper(host)}`)).toBe(mailboxOf(`${name}@${host}`))
      }),
    )
  })

  test('does not depend on dots at Gmail, and does elsewhere', () => {
    fc.assert(
      fc.property(local, (name) => {
        const plain = name.replaceAll('.', '')
        expect(mailboxOf(`${name}@gmail.com`)).toBe(mailboxOf(`${plain}@googlemail.com`))
        expect(mailboxOf(`${name}@example.test`) === mailboxOf(`${plain}@example.test`)).toBe(name === plain)
      }),
    )
  })

  test('is its own name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.emailAddress()), (email) => {
        expect(mailboxOf(mailboxOf(email))).toBe(mailboxOf(email))
      }),
    )
  })
})
