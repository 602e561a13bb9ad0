import { describe, expect, it } from 'vitest'
import { maskEmail, maskPhone } from '../../../../src/cms/hooks/mask-contact.ts'

describe('masking', () => {
  it.each([
    ['anna@example.com', 'a•••@example.com'],
    ['a@example.com', 'a•••@example.com'],
    ['"odd@name"@example.com', '"•••@example.com'],
    ['no address', '•••'],
    ['@example.com', '•••'],
  ])('of the address %s leaves %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })

  it('of a phone number leaves two digits', () => {
    expect(maskPhone('+36301234567')).toBe('•••67')
  })
})
