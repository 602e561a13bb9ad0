import { expect, test } from 'vitest'
import { answerFields } from '../../../../src/cms/hooks/answer-fields.ts'

type Given = Parameters<typeof answerFields>[0]
const answerTo = (error: Error) => answerFields({ error } as Given)

test('a refused form says which field is invalid and why, whichever copy of the class its error is of', () => {
  const data = { errors: [{ path: 'pattern', message: 'A repetition needs an end.' }] }
  const error = Object.assign(new Error('The following field is invalid: Pattern'), { name: 'ValidationError', data })
  expect(answerTo(error)).toEqual({
    response: { errors: [{ name: 'ValidationError', data, message: 'The following field is invalid: Pattern' }] },
  })
})

test('nothing is told of any other error', () => {
  expect(answerTo(Object.assign(new Error('x'), { name: 'QueryError', data: { secret: 1 } }))).toBeUndefined()
  expect(answerTo(new Error('x'))).toBeUndefined()
})
