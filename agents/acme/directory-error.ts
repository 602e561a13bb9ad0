import { AgentError } from '../platform/agent-error.ts'

/**
 * Why an authority gave no certificate. `message` is a sentence for the operator. `problem` is the last part of the
 * problem's type (RFC 8555 section 6.7), or undefined when no authority said so. `retryAtMs` is what it asked for by
 * Retry-After: nothing is asked of it before.
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

/** When Retry-After allows the next question, in seconds from now or as a date; undefined when it says nothing. */
export const retryAtOf = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined
  const atMs = /^\d+$/.test(header.trim()) ? nowMs + Number(header) * 1_000 : Date.parse(header)
  return Number.isFinite(atMs) && atMs > nowMs ? atMs : undefined
}
