import type { AfterErrorHook } from 'payload'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Sends which fields are invalid and why. The build can contain Payload's errors twice, and then Payload does not recognise
 * its own by the class: the form would only say that something is invalid.
 */
export const answerFields: AfterErrorHook = ({ error }) => {
  if (error.name !== 'ValidationError' || !('data' in error) || !isRecord(error.data)) return undefined
  const { name, data, message } = error
  return { response: { errors: [{ name, data: { ...data }, message }] } }
}
