export const AGENT_ERROR_CODES = [
  'PROGRAM_UNKNOWN',
  'PROGRAM_NOT_STARTED',
  'RUNTIME_REFUSED',
  'RUNTIME_UNREACHABLE',
  'IMAGE_REFUSED',
  'IMAGE_UNAVAILABLE',
  'NETWORK_REFUSED',
  'CONTROL_PLANE_UNREACHABLE',
  'ENROLMENT_REFUSED',
  'STATE_UNREADABLE',
  'STATE_NEWER',
  'FOLDER_UNUSABLE',
  'PACKAGE_REFUSED',
  'DIRECTORY_UNREACHABLE',
  'DIRECTORY_REFUSED',
  'PORT_UNUSABLE',
  'QUOTA_REFUSED',
  'STORAGE_UNAVAILABLE',
  'FILES_NOT_REMOVED',
] as const
export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number]

/** A failure outside the agent's own code. `message` may be shown to the operator and contains no secret. */
export class AgentError extends Error {
  readonly code: AgentErrorCode
  readonly retryable: boolean

  constructor(
    code: AgentErrorCode,
    message: string,
    options: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'AgentError'
    this.code = code
    this.retryable = options.retryable ?? false
  }
}
