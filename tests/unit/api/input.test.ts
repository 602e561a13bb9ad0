import * as z from 'zod'
import { expect, test } from 'vitest'
import { RegisterRequest } from '#contracts/http/auth.ts'
import { parsePart } from '../../../src/api/input.ts'
import { ApiError } from '../../../src/lib/site/api-error.ts'

test('each field gets the code of its first fault', () => {
  const parse = (value: unknown) => {
    try {
      parsePart(RegisterRequest, value)
      return null
    } catch (error) {
      return error instanceof ApiError ? error.facts.fields : error
    }
  }
  expect(parse({ username: 'root', email: 'x', password: 'short', acceptTerms: false })).toEqual({
    username: 'reserved',
    email: 'invalid',
    password: 'tooShort',
    passwordConfirm: 'required',
    acceptTerms: 'accept',
  })
  const fine = { username: 'alice', email: 'a@example.test', password: 'long enough', acceptTerms: true }
  expect(parse({ ...fine, passwordConfirm: 'other' })).toEqual({ passwordConfirm: 'mismatch' })
  expect(parse({ ...fine, passwordConfirm: 'long enough' })).toBeNull()
})

test('a number out of its bounds is told apart from a text, and a fraction from both', () => {
  const Months = z.object({ months: z.int().min(1).max(6) })
  const fault = (months: unknown) => {
    try {
      parsePart(Months, { months })
      return null
    } catch (error) {
      return error instanceof ApiError ? error.facts.fields : error
    }
  }
  expect(fault(0)).toEqual({ months: 'tooSmall' })
  expect(fault(7)).toEqual({ months: 'tooLarge' })
  expect(fault(1.5)).toEqual({ months: 'notWhole' })
  expect(fault('3')).toEqual({ months: 'invalid' })
  expect(fault(2)).toBeNull()
})
