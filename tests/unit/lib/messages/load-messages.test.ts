import { expect, test } from 'vitest'
import { readAnswer } from '../../../../src/lib/messages/load-messages.ts'
import type { GlobalMessage } from '../../../../src/contracts/http/global-message.ts'

const message = (id: string): GlobalMessage => ({ id, revision: '1', severity: 'info', text: id })

test.each([null, 1, {}, { messages: 'x' }])('%s is no answer', (value) => {
  expect(readAnswer(value)).toBeNull()
})

test('an answer is read as far as it is one', () => {
  expect(readAnswer({ reader: 7, messages: [message('a'), null, { id: 1 }] })).toEqual({
    reader: null,
    messages: [message('a')],
  })
})
