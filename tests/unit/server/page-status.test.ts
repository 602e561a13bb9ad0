import { expect, test } from 'vitest'
import { markedStatus } from '../../../src/server/page-status.ts'

test('a page tells its status by an attribute of its markup', () => {
  expect(markedStatus('<main><div class="nf__t" data-status="404"><h1>')).toBe(404)
  expect(markedStatus('<main><h1>All is well</h1>')).toBeNull()
})

test('the same words as data or as text do not count', () => {
  expect(markedStatus('<script>push([1,"{\\"data-status\\":\\"404\\"}"])</script>')).toBeNull()
  expect(markedStatus('<p> data-status=&quot;404&quot;</p>')).toBeNull()
  expect(markedStatus('<p data-status="200">')).toBeNull()
})
