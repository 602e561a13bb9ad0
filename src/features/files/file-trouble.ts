import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'

/** `AWAY`: the node gave no readable response, or the site knows that it cannot. */
export type TroubleCode = FileRefusal | 'AWAY'

/** Why something with files was not done. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble'
  readonly code: TroubleCode
  /** With `FORBIDDEN`: the missing permission. */
  readonly permission: string | undefined
  /** With `CHANGED`: when the file was changed. */
  readonly mtimeMs: number | undefined
  /** The thing that it is about, where there are several. */
  readonly path: string | undefined

  constructor(
    code: TroubleCode,
    facts: { permission?: string | undefined; mtimeMs?: number | undefined; path?: string | undefined } = {},
  ) {
    super(code)
    this.code = code
    this.permission = facts.permission
    this.mtimeMs = facts.mtimeMs
    this.path = facts.path
  }
}

/** A failure of the site's own call for a token, as trouble with files; any other failure as it is. */
export const troubleOf = (failure: unknown): unknown => {
  if (!(failure instanceof ApiFailure)) return failure
  if (failure.code === 'NODE_UNREACHABLE' || failure.code === 'CONTROL_PLANE_UNAVAILABLE')
    return new FileTrouble('AWAY')
  if (failure.code !== 'FORBIDDEN') return failure
  const { permission } = failure.params
  return new FileTrouble('FORBIDDEN', permission === undefined ? {} : { permission: String(permission) })
}
