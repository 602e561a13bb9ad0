import * as z from 'zod'
import { ERROR_STATUS, type ErrorCode } from '#contracts/http/errors.ts'
import type { InternalError } from '#contracts/internal-api/calls.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import { isOverloaded } from '#platform/overloaded.ts'
import { AppError, type AppErrorCode } from '../platform/app-error.ts'
import { ApiRefusal } from './api-refusal.ts'

export type ErrorAnswer = { readonly status: number; readonly body: InternalError; readonly unexpected: boolean }

/** The one place where a failure becomes a response of the internal API. Unexpected errors reveal only INTERNAL. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ApiRefusal) {
    const { code, params, fields } = error
    return answer(code, { ...(params ? { params } : {}), ...(fields ? { fields } : {}) })
  }
  if (error instanceof AppError) return answer(codeOf(error.code), { params: error.params })
  if (isOverloaded(error)) return answer('CONTROL_PLANE_UNAVAILABLE', {})
  if (error instanceof z.ZodError) return answer('VALIDATION', { fields: fieldsOf(error) })
  return { ...answer('INTERNAL', {}), unexpected: true }
}

function answer(code: ErrorCode, facts: Omit<InternalError['error'], 'code'>): ErrorAnswer {
  return { status: ERROR_STATUS[code], body: { error: { code, ...facts } }, unexpected: false }
}

/** The first problem of each field, by its path in the request. */
function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.join('.')] ??= message
  return fields
}

function codeOf(code: AppErrorCode): ErrorCode {
  switch (code) {
    case 'REFUSED':
      return 'CONFLICT'
    case 'UNAVAILABLE':
      return 'CONTROL_PLANE_UNAVAILABLE'
    case 'BAD_REQUEST':
    case 'UNAUTHENTICATED':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'CONFLICT':
    case 'IDEMPOTENCY_MISMATCH':
    case 'IN_PROGRESS':
    case 'PROVIDER_FAILURE':
    case 'NODE_UNREACHABLE':
      return code
    default:
      return assertNever(code)
  }
}
