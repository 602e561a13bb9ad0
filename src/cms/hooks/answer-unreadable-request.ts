import type { AfterErrorHook } from 'payload'

/**
 * A broken escape in the address and invalid JSON are the caller's mistakes; Payload parses some of them without
 * catching errors.
 */
export const answerUnreadableRequest: AfterErrorHook = ({ error }) =>
  error instanceof URIError || error instanceof SyntaxError
    ? { status: 400, response: { errors: [{ message: 'The request could not be understood.' }] } }
    : undefined
