import { expect, it } from 'vitest'
import { enrol } from '../../../../agents/connection/enrol.ts'
import { AgentError } from '../../../../agents/platform/agent-error.ts'

const REQUEST = { token: 't'.repeat(43), publicKey: 'k'.repeat(43), agentVersion: '1', hostname: 'host' }
const NODE = { nodeId: '0190a000-0000-7000-8000-000000000001', name: 'Node' }

const ask = (status: number, body: unknown) =>
  enrol(async () => ({ status, text: JSON.stringify(body) }), 'http://control-plane.test', REQUEST)

const refusal = async (status: number) => {
  const error: unknown = await ask(status, { error: { code: 'X', message: 'x' } }).catch((caught: unknown) => caught)
  if (!(error instanceof AgentError)) throw new Error('It was not refused.')
  return { code: error.code, retryable: error.retryable, message: error.message }
}

it('A2 answers the node id', async () => {
  expect(await ask(200, NODE)).toEqual(NODE)
})

it('A20 says in one sentence what to do when another computer has the key, and does not ask again', async () => {
  const { code, retryable, message } = await refusal(409)
  expect({ code, retryable }).toEqual({ code: 'ENROLMENT_REFUSED', retryable: false })
  expect(message).toContain('belongs to another computer')
  expect(message).toContain('empty data folder')
})

it('A2 a refused token is final and names the token', async () => {
  expect(await refusal(401)).toMatchObject({ retryable: false, message: expect.stringContaining('token') })
})

it.each([308, 404, 429, 500, 503])('asks again after %d', async (status) => {
  expect(await refusal(status)).toMatchObject({ code: 'CONTROL_PLANE_UNREACHABLE', retryable: true })
})
