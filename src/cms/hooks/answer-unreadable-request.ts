import type { AfterErrorHook } from 'payload'

/** A broken escape in the address and JSON that is none are the caller's mistakes; Payload reads some of them where nobody catches. */
export const answerUnreadableRequest: AfterErrorHook = ({ error }) =>
  error instanceof URIError || error instanceof SyntaxError
    ? { status: 400, response: { errors: [{ message: 'The request could not be understood.' }] } }
    : undefined
