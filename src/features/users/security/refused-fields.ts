import { ApiFailure } from '@/lib/browser-client/failure.ts'

/** Field of a form -> the sentence of its error. `passwordField` is the field of the current password. */
export const refusedFields = (failure: unknown, passwordField: string): Readonly<Record<string, string>> => {
  if (!(failure instanceof ApiFailure)) return {}
  if (failure.code === 'WRONG_PASSWORD') return { [passwordField]: failure.message }
  if (failure.code === 'CODE_NEEDED' || failure.code === 'WRONG_CODE') return { code: failure.message }
  return failure.fields
}
