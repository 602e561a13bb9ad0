import { EnrolmentAnswer, type EnrolmentRequest } from '#contracts/agent/enrolment.ts'
import { AgentError } from '../platform/agent-error.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { PostAnswer, PostJson } from './http-post.ts'

/**
 * Exchanges a single-use token and our public key for a node id (rule A2). Rejects with a retryable AgentError when the
 * control plane is unreachable, and with a permanent one when it refuses.
 */
export const enrol = async (
  post: PostJson,
  controlPlaneUrl: string,
  request: EnrolmentRequest,
): Promise<EnrolmentAnswer> => {
  let response: PostAnswer
  try {
    response = await post(new URL('/api/agent/enrol', controlPlaneUrl).href, request)
  } catch (error) {
    const message = `The control plane at ${controlPlaneUrl} does not answer.`
    throw new AgentError('CONTROL_PLANE_UNREACHABLE', message, { retryable: true, cause: error })
  }
  const { status } = response
  if (status >= 500 || status === 404 || status === 429 || (status >= 300 && status < 400)) {
    const message = `The control plane answered ${status} to the enrolment.`
    throw new AgentError('CONTROL_PLANE_UNREACHABLE', message, { retryable: true })
  }
  if (status === 409) {
    const message =
      'The key of this agent belongs to another computer: its data folder was copied. Start the agent with an empty data folder.'
    throw new AgentError('ENROLMENT_REFUSED', message)
  }
  const answer = parseJson(EnrolmentAnswer, response.text)
  if (status !== 200 || answer === undefined) {
    throw new AgentError('ENROLMENT_REFUSED', 'The enrolment token is not valid any more. Make a new one in the admin.')
  }
  return answer
}
