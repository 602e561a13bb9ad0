import type { Permission } from '#contracts/panel/permissions.ts'
import { FileFailure } from '../files/file-failure.ts'

/** A refusal that names the permission that is missing. */
export class MissingPermission extends FileFailure {
  readonly permission: Permission

  constructor(permission: Permission) {
    super('FORBIDDEN')
    this.permission = permission
  }
}

/** Throws `MissingPermission` for the first that the holder of the token does not have. */
export const refuseMissing = (
  { permissions }: { readonly permissions: readonly Permission[] },
  needed: readonly Permission[],
): void => {
  const missing = needed.find((permission) => !permissions.includes(permission))
  if (missing !== undefined) throw new MissingPermission(missing)
}
