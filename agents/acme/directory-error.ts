import { AgentError } from '../platform/agent-error.ts'

/**
 * Why an authority issued no certificate. `message` is a sentence for the operator. `problem` is the last part of the
 * problem type (RFC 8555 section 6.7), or undefined without one. `retryAtMs` is from Retry-After: no request is sent
 * before it.
 */
export class DirectoryError extends AgentError {
  readonly problem: string | undefined
  readonly retryAtMs: number | undefined

  constructor(
    message: string,
    about: { readonly problem?: string | undefined; readonly retryAtMs?: number | undefined } = {},
  ) {
    super('DIRECTORY_REFUSED', message, { retryable: true })
    this.name = 'DirectoryError'
    this.problem = about.problem
    this.retryAtMs = about.retryAtMs
  }
}

/** The time of the next permitted request by Retry-After, in seconds or as a date; undefined without one. */
export const retryAtOf = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined
  const atMs = /^\d+$/.test(header.trim()) ? nowMs + Number(header) * 1_000 : Date.parse(header)
  return Number.isFinite(atMs) && atMs > nowMs ? atMs : undefined
}
