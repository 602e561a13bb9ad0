import type { LoginAnswer, LoginRequest } from '#contracts/logins/node-login.ts'

export type LoginProof = LoginRequest['proof']
export type AskLogin = (request: LoginRequest) => Promise<LoginAnswer>

/** `username.identifier`; undefined for anything else. */
export const splitName = (name: string): { readonly username: string; readonly identifier: string } | undefined => {
  const [, username, identifier] = /^(.{1,254})\.([a-z0-9]{8})$/i.exec(name) ?? []
  return username === undefined || identifier === undefined
    ? undefined
    : { username, identifier: identifier.toLowerCase() }
}
