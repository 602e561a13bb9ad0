import { expect, it } from 'vitest'
import { healthAnswer } from '#platform/health-answer.ts'

const parts = (isReady: boolean) => ({
  ready: async () => ({ isReady, facts: { missing: isReady ? [] : ['database'] } }),
  metrics: async () => ({ type: 'text/plain', text: 'a_total 1' }),
})

it.each([
  ['/health/live', false, { status: 200, body: '{"live":true}\n' }],
  ['/health/ready', true, { status: 200, body: '{"missing":[]}\n' }],
  ['/health/ready', false, { status: 503, body: '{"missing":["database"]}\n' }],
  ['/metrics', false, { status: 200, type: 'text/plain', body: 'a_total 1' }],
  ['/health', true, undefined],
])('%s of a program that is ready (%s) is answered %j', async (path, isReady, expected) => {
  const answer = await healthAnswer(path, parts(isReady))
  if (expected === undefined) expect(answer).toBeUndefined()
  else expect(answer).toMatchObject(expected)
})
