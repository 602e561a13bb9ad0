import {
  FactorOnAnswer,
  PasskeyAddRequest,
  PasskeyChallenge,
  PasskeyPath,
  PasskeyRenameRequest,
  ProofRequest,
  RecoveryCodesAnswer,
  SecondFactorState,
  TotpEnableRequest,
  TotpSetup,
} from './second-factor.ts'
import { Nothing } from '../primitives.ts'

/** Rows of the API table: the second factor of an account. */
export const FACTOR_ROUTES = {
  'GET /api/user/2fa': {
    summary: 'Get the second-factor settings',
    auth: 'user',
    limit: 'read',
    output: SecondFactorState,
  },
  'POST /api/user/2fa/setup': {
    summary: 'Create a secret for an authenticator app',
    auth: 'user',
    limit: 'factorSettings',
    input: ProofRequest,
    output: TotpSetup,
  },
  'POST /api/user/2fa/enable': {
    summary: 'Turn on authenticator codes with the first code',
    auth: 'user',
    limit: 'factorSettings',
    input: TotpEnableRequest,
    output: FactorOnAnswer,
  },
  'POST /api/user/2fa/disable': {
    summary: 'Turn off authenticator codes',
    auth: 'user',
    limit: 'factorSettings',
    input: ProofRequest,
    output: Nothing,
  },
  'POST /api/user/2fa/recovery-codes': {
    summary: 'Replace the backup codes with ten new ones',
    auth: 'user',
    limit: 'factorSettings',
    input: ProofRequest,
    output: RecoveryCodesAnswer,
  },
  'POST /api/user/passkeys/options': {
    summary: 'Start adding a passkey',
    auth: 'user',
    limit: 'factorSettings',
    input: ProofRequest,
    output: PasskeyChallenge,
  },
  'POST /api/user/passkeys': {
    summary: 'Add the passkey that the browser created',
    auth: 'user',
    limit: 'factorSettings',
    input: PasskeyAddRequest,
    output: FactorOnAnswer,
    status: 201,
  },
  'PATCH /api/user/passkeys/{id}': {
    summary: 'Rename a passkey',
    auth: 'user',
    limit: 'factorSettings',
    path: PasskeyPath,
    input: PasskeyRenameRequest,
    output: Nothing,
  },
  'POST /api/user/passkeys/{id}/remove': {
    summary: 'Remove a passkey',
    auth: 'user',
    limit: 'factorSettings',
    path: PasskeyPath,
    input: ProofRequest,
    output: Nothing,
  },
} as const
