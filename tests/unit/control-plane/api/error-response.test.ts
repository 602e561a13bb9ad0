import { expect, it } from 'vitest'
import { Overloaded } from '#platform/overloaded.ts'
import { errorAnswer } from '../../../../control-plane/api/error-response.ts'

it('a call that finds no connection to the database is told to come again, and is no unexpected failure', () => {
  const answer = errorAnswer(new Error('a use case failed', { cause: new Overloaded('no connection') }))
  expect(answer).toEqual({ status: 503, body: { error: { code: 'CONTROL_PLANE_UNAVAILABLE' } }, unexpected: false })
})

it('any other failure says nothing but INTERNAL', () => {
  const answer = errorAnswer(new Error('the row of anna@example.com'))
  expect(answer).toEqual({ status: 500, body: { error: { code: 'INTERNAL' } }, unexpected: true })
})
