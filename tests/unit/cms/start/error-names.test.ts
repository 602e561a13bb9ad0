import { APIError, formatErrors } from 'payload'
import { expect, test } from 'vitest'
import { nameErrors } from '../../../../src/cms/start/error-names.ts'

test('an error of a class that lost its name in the build is sent with its text', () => {
  // A minifier makes such classes of `class Refusal extends APIError`.
  const [Refusal] = [class extends APIError {}]
  const send = () => formatErrors(new Refusal('Users have this role.', 409, undefined, true)).errors
  expect(send()).toEqual([{ message: 'An unknown error occurred.' }])
  nameErrors({ Refusal })
  expect(send()).toEqual([{ message: 'Users have this role.' }])
})
