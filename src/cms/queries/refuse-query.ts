import { APIError } from 'payload'

/** Ends a request with a meaningless query: a mistake of the caller, explained in words, and not a failure of ours. */
export const refuseQuery = (why: string): never => {
  throw new APIError(`The query could not be understood: ${why}.`, 400, undefined, true)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
