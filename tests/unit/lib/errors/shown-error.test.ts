import { describe, expect, it } from 'vitest'
import { shownError } from '../../../../src/lib/errors/shown-error.ts'

describe('shownError', () => {
  it('shows the message, and null where the page says Error', () => {
    expect(shownError(new Error('The list is gone')).message).toBe('The list is gone')
    expect(shownError(new Error('')).message).toBeNull()
    expect(shownError({}).message).toBeNull()
  })

  it('shows the status of an error that has one, else 500', () => {
    expect(shownError({ status: 404 }).status).toBe(404)
    expect(shownError({ statusCode: 503 }).status).toBe(503)
    expect(shownError({ status: 200 }).status).toBe(500)
    expect(shownError({ status: '404' }).status).toBe(500)
    expect(shownError(new Error('x')).status).toBe(500)
  })

  it('gives the report id of an error of the server and keeps its text back', () => {
    expect(shownError({ message: 'An error occurred in the Server Components render.', digest: '123' })).toEqual({
      message: null,
      status: 500,
      reportId: '123',
    })
  })

  it('gives the id of the request that failed, and none where nothing was logged', () => {
    expect(shownError({ message: 'No answer', requestId: 'r-1' })).toEqual({
      message: 'No answer',
      status: 500,
      reportId: 'r-1',
    })
    expect(shownError({ requestId: 7 }).reportId).toBeNull()
  })
})
