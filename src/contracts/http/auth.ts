import * as z from 'zod'

export const ACCESS_TOKEN_SECONDS = 900
export const REFRESH_TOKEN_SECONDS = 1_209_600
export const GATEWAY_TICKET_SECONDS = 30
/** How long a sign-in waits for its second factor, and a passkey for its response. */
export const CHALLENGE_SECONDS = 300
/** The time limit of Discord's page. */
export const DISCORD_SECONDS = 600

/** Names of the site's cookies. The `__Host-` prefix is added when the site is served over https. */
export const COOKIES = { access: 'bakter_access', refresh: 'bakter_refresh', locale: 'i18n' } as const
export const LOCALE_COOKIE_DAYS = 365

/** Reserved names that look like staff or like parts of the site. */
export const RESERVED_USERNAMES = [
  'admin',
  'administrator',
  'api',
  'bakter',
  'billing',
  'dashboard',
  'help',
  'host',
  'login',
  'logout',
  'mail',
  'moderator',
  'noreply',
  'null',
  'owner',
  'panel',
  'postmaster',
  'register',
  'root',
  'security',
  'staff',
  'status',
  'support',
  'system',
  'undefined',
  'webmaster',
  'www',
] as const

/**
 * 3-32 of a-z 0-9 _ -, in lower case; no dot and no @, so that sign-in accepts either name or address. Clarifications
 * part 1.
 */
export const Username = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9_-]{3,32}$/)
  .refine((name) => !(RESERVED_USERNAMES as readonly string[]).includes(name), { params: { code: 'reserved' } })
export const Email = z.string().trim().max(254).pipe(z.email())
/** 8 to 128 characters, any of Unicode, exact: no trimming, no composition rules. */
export const Password = z.string().min(8).max(128)
export const SecondFactorCode = z.string().regex(/^[0-9]{6}$/)

export const RegisterRequest = z
  .object({
    username: Username,
    email: Email,
    password: Password,
    passwordConfirm: z.string().max(128),
    acceptTerms: z.literal(true),
  })
  .refine((body) => body.password === body.passwordConfirm, { path: ['passwordConfirm'], params: { code: 'mismatch' } })
export type RegisterRequest = z.infer<typeof RegisterRequest>
export const RegisterAnswer = z.object({ username: z.string() })

/** `username` takes the user name or the e-mail address. */
export const LoginRequest = z.object({
  username: z
    .string()
    .trim()
    .min(1)
    .max(254)
    .regex(/^\P{Cc}+$/u),
  password: z.string().min(1).max(128),
  code: z.string().trim().max(32).optional(),
})
export type LoginRequest = z.infer<typeof LoginRequest>

/** The result of the first step of a sign-in; the browser's cookie is its other half. */
export const ChallengeToken = z.string().min(20).max(64)
/** A code of the authenticator app, or a recovery code. */
export const FactorCode = z.string().trim().min(1).max(32)
export const SecondStepRequest = z.object({ challenge: ChallengeToken, code: FactorCode })
export type SecondStepRequest = z.infer<typeof SecondStepRequest>

export const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.literal(ACCESS_TOKEN_SECONDS),
})
export type TokenAnswer = z.infer<typeof TokenAnswer>

/** A browser sends no body: its refresh token is in the cookie. */
export const RefreshRequest = z.object({ refresh_token: z.string().max(256).optional() })
export const LogoutRequest = z.object({ all: z.boolean().optional() })
export const GatewayTicketAnswer = z.object({ ticket: z.string(), expires_in: z.literal(GATEWAY_TICKET_SECONDS) })

/** The code from the mail. `email` is optional: it must be the address of the signed-in person. */
export const VerifyRequest = z.object({ code: SecondFactorCode, email: Email.optional() })
export const ResendAnswer = z.object({ resendAfterSeconds: z.int() })

export const PasswordResetRequest = z.object({ email: Email })

const sameTwice = (body: { password: string; passwordConfirm: string }) => body.password === body.passwordConfirm
const MISMATCH = { path: ['passwordConfirm'], params: { code: 'mismatch' } }

export const PasswordResetConfirm = z
  .object({ token: z.string().max(200), password: Password, passwordConfirm: z.string().max(128) })
  .refine(sameTwice, MISMATCH)

export const PasswordChange = z
  .object({
    currentPassword: z.string().min(1).max(128),
    /** A code of the second factor, if the account has one that was not shown recently. */
    code: z.string().trim().max(40).optional(),
    password: Password,
    passwordConfirm: z.string().max(128),
  })
  .refine(sameTwice, MISMATCH)
/** How many other sessions ended. */
export const PasswordChangeAnswer = z.object({ ended: z.int() })

export const EmailChange = z.object({
  email: Email,
  password: z.string().min(1).max(128),
  code: z.string().trim().max(40).optional(),
})
export const EmailLink = z.object({ token: z.string().max(200) })
export const EmailLinkAnswer = z.object({ email: z.string() })

/** Claims of the access token: a JWT of type at+jwt, EdDSA, issuer and audience `bakter`. `sid` is the session's id. */
export const AccessTokenClaims = z.object({
  iss: z.literal('bakter'),
  aud: z.literal('bakter'),
  sub: z.uuid(),
  sid: z.uuid(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
})
export type AccessTokenClaims = z.infer<typeof AccessTokenClaims>

/** Claims of the single-use ticket that opens the gateway's socket from a browser. Audience `bakter-gateway`. */
export const GatewayTicketClaims = AccessTokenClaims.extend({ aud: z.literal('bakter-gateway') })
export type GatewayTicketClaims = z.infer<typeof GatewayTicketClaims>

/** Public keys of the site's tokens, served on its private port at /jwks. */
export const JsonWebKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  ),
})
export type JsonWebKeySet = z.infer<typeof JsonWebKeySet>
