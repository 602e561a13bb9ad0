import type { ErrorCode } from '#contracts/http/errors.ts'
import { ApiFailure } from './failure.ts'

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

const entriesOf = <Value>(value: unknown, isValue: (entry: unknown) => entry is Value): Record<string, Value> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Value] => isValue(entry[1])))
    : {}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFact = (value: unknown): value is string | number => isText(value) || typeof value === 'number'

/** Seconds of a Retry-After header. A date counts as a minute. */
const secondsOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = Number(header)
  return Number.isFinite(seconds) ? seconds : 60
}

/** The body of a response, or undefined if it is not JSON. */
export const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

/**
 * The failure in a response of the site (`ErrorBody` of the contract). It is parsed by hand, so that pages without
 * another schema load none.
 */
export const readFailure = async (response: Response): Promise<ApiFailure> => {
  const { status, headers } = response
  const body = await readJson(response)
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const headerId = headers.get('x-request-id') ?? undefined
  if (!isText(error.code) || !isText(error.message)) {
    return new ApiFailure({ code: 'UNREADABLE', status, message: `HTTP ${status}`, requestId: headerId })
  }
  return new ApiFailure({
    code: error.code as ErrorCode,
    status,
    message: error.message,
    fields: entriesOf(error.fields, isText),
    params: entriesOf(error.params, isFact),
    requestId: isText(error.requestId) ? error.requestId : headerId,
    retryAfterSeconds:
      typeof error.retryAfterSeconds === 'number' ? error.retryAfterSeconds : secondsOf(headers.get('retry-after')),
  })
}
