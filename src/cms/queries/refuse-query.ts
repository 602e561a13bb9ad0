import { APIError } from 'payload'

/** Ends a request whose query means nothing: a mistake of the caller, told in words, and no failure of ours. */
export const refuseQuery = (why: string): never => {
  throw new APIError(`The query could not be understood: ${why}.`, 400, undefined, true)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
