import { expect, it } from 'vitest'
import { CODE_TRIES, codeFrom, PROOF_MINUTES, RESEND_SECONDS } from '#domain/users/proofs.ts'

const bytesOf = (...numbers: number[]): Uint8Array => {
  const bytes = new Uint8Array(numbers.length * 4)
  numbers.forEach((number, at) => new DataView(bytes.buffer).setUint32(at * 4, number))
  return bytes
}

it.each([
  [0, '000000'],
  [7, '000007'],
  [123_456, '123456'],
  [1_000_001, '000001'],
  [4_293_999_999, '999999'],
])('takes the code out of %i', (number, code) => {
  expect(codeFrom(bytesOf(number))).toBe(code)
})

it('passes over numbers that would make some codes likelier than others', () => {
  expect(codeFrom(bytesOf(4_294_000_000, 4_294_967_295, 42))).toBe('000042')
  expect(codeFrom(bytesOf(4_294_000_000))).toBeUndefined()
  expect(codeFrom(new Uint8Array(3))).toBeUndefined()
})

it('reads a part of a larger piece of memory as it stands', () => {
  expect(codeFrom(bytesOf(1, 2).subarray(4))).toBe('000002')
})

it('proofs end as the security cases 21 and 24 say', () => {
  expect({ ...PROOF_MINUTES, CODE_TRIES, RESEND_SECONDS }).toEqual({
    code: 10,
    reset: 30,
    emailChange: 1_440,
    emailUndo: 10_080,
    CODE_TRIES: 5,
    RESEND_SECONDS: 60,
  })
})
