import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'
import { ChallengeToken, FactorCode } from './auth.ts'

const CurrentPassword = z.string().min(1).max(128)

export const PasskeyEntry = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type PasskeyEntry = z.infer<typeof PasskeyEntry>

/** A person's second factors. `required` says that one of their roles requires one. */
export const SecondFactorState = z.object({
  totp: z.boolean(),
  passkeys: z.array(PasskeyEntry),
  /** Browsers create passkeys only for host names, never for a numeric address. */
  passkeysAvailable: z.boolean(),
  recoveryCodesLeft: z.int(),
  required: z.boolean(),
})
export type SecondFactorState = z.infer<typeof SecondFactorState>

/** Changing the second factor requires re-authentication; `code` is needed if there already is a factor. */
export const ProofRequest = z.object({ password: CurrentPassword, code: FactorCode.optional() })
export type ProofRequest = z.infer<typeof ProofRequest>

/** `qr` is a picture as a data URL; `secret` is its content, for typing. */
export const TotpSetup = z.object({ secret: z.string(), uri: z.string(), qr: z.string().startsWith('data:image/') })
export type TotpSetup = z.infer<typeof TotpSetup>

export const TotpEnableRequest = z.object({ code: z.string().trim().max(16) })
/** Recovery codes are shown once; null if the person already has some. */
export const FactorOnAnswer = z.object({ recoveryCodes: z.array(z.string()).nullable() })
export const RecoveryCodesAnswer = z.object({ recoveryCodes: z.array(z.string()) })

const Base64Url = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/)
const CredentialId = Base64Url.min(1).max(1_400)

/** The options for the browser, in the JSON form of WebAuthn; they are passed to `navigator.credentials` unchanged. */
const PasskeyOptions = z.record(z.string(), z.unknown())
export const PasskeyChallenge = z.object({ challenge: ChallengeToken, options: PasskeyOptions })
export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>

/** `challenge` is that of a sign-in whose password was right; without it anyone with a passkey may sign in. */
export const PasskeyLoginOptionsRequest = z.object({ challenge: ChallengeToken.optional() })

/** AuthenticationResponseJSON of WebAuthn, without unused fields. */
export const PasskeyLoginRequest = z.object({
  challenge: ChallengeToken,
  response: z.object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Base64Url.optional(),
    }),
  }),
})
export type PasskeyLoginRequest = z.infer<typeof PasskeyLoginRequest>

export const PasskeyName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^\P{Cc}+$/u)

/** RegistrationResponseJSON of WebAuthn, without unused fields. */
export const PasskeyAddRequest = z.object({
  challenge: ChallengeToken,
  name: PasskeyName,
  response: z.object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: z
        .array(
          z
            .string()
            .max(20)
            .regex(/^[a-z-]+$/),
        )
        .max(10)
        .optional(),
    }),
  }),
})
export const PasskeyPath = z.object({ id: Id })
export const PasskeyRenameRequest = z.object({ name: PasskeyName })
