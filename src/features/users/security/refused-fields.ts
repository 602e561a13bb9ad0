import { ApiFailure } from '@/lib/browser-client/failure.ts'

/** Field of a form -> the sentence of what is wrong with it. `passwordField` is where the current password is asked for. */
export const refusedFields = (failure: unknown, passwordField: string): Readonly<Record<string, string>> => {
  if (!(failure instanceof ApiFailure)) return {}
  if (failure.code === 'WRONG_PASSWORD') return { [passwordField]: failure.message }
  if (failure.code === 'CODE_NEEDED' || failure.code === 'WRONG_CODE') return { code: failure.message }
  return failure.fields
}
