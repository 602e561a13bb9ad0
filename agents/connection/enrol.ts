import { EnrolmentAnswer, type EnrolmentRequest } from '#contracts/agent/enrolment.ts'
import { AgentError } from '../platform/agent-error.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Exchanges a single-use token and our public key for a node id (rule A2). Rejects with a retryable AgentError when the
 * control plane cannot be reached, and with a final one when it refuses.
 */
export const enrol = async (
  fetch: Fetch,
  controlPlaneUrl: string,
  request: EnrolmentRequest,
): Promise<EnrolmentAnswer> => {
  let response: Response
  try {
    response = await fetch(new URL('/api/agent/enrol', controlPlaneUrl).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(15_000),
    })
  } catch (error) {
    const message = `The control plane at ${controlPlaneUrl} does not answer.`
    throw new AgentError('CONTROL_PLANE_UNREACHABLE', message, { retryable: true, cause: error })
  }
  if (response.status >= 500 || response.status === 404 || response.status === 429) {
    const message = `The control plane answered ${response.status} to the enrolment.`
    throw new AgentError('CONTROL_PLANE_UNREACHABLE', message, { retryable: true })
  }
  if (response.status === 409) {
    const message =
      'The key of this agent belongs to another computer: its data folder was copied. Start the agent with an empty data folder.'
    throw new AgentError('ENROLMENT_REFUSED', message)
  }
  const answer = EnrolmentAnswer.safeParse(await response.json().catch(() => undefined))
  if (!response.ok || !answer.success) {
    throw new AgentError('ENROLMENT_REFUSED', 'The enrolment token is not valid any more. Make a new one in the admin.')
  }
  return answer.data
}
