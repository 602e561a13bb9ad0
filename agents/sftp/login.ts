import type { Permission } from '#contracts/panel/permissions.ts'

/** What somebody proves with. A key counts only once its signature was checked here. */
export type LoginProof = { readonly password: string } | { readonly publicKey: string }

export interface LoginRequest {
  readonly username: string
  /** The suffix of the name: which server. */
  readonly identifier: string
  readonly address: string
  readonly proof: LoginProof
}

/** `app password`: the account has a second factor, so that its own password is not enough. `away`: nobody can decide now. */
export type LoginRefusal = 'refused' | 'app password' | 'no permission' | 'too many' | 'away'

export type LoginAnswer =
  | {
      readonly ok: true
      readonly userId: string
      readonly serverId: string
      readonly permissions: readonly Permission[]
    }
  | { readonly ok: false; readonly why: LoginRefusal }

export type AskLogin = (request: LoginRequest) => Promise<LoginAnswer>

/** `username.identifier`; undefined for anything else. */
export const splitName = (name: string): { readonly username: string; readonly identifier: string } | undefined => {
  const [, username, identifier] = /^(.{1,254})\.([a-z0-9]{8})$/i.exec(name) ?? []
  return username === undefined || identifier === undefined
    ? undefined
    : { username, identifier: identifier.toLowerCase() }
}
