import * as z from 'zod'
import {
  DeletionAnswer,
  DeletionRequest,
  DeletionUndo,
  DepartureState,
  DiscordBegin,
  DiscordBegun,
  DiscordState,
} from '../http/privacy.ts'
import { ProofRequest } from '../http/second-factor.ts'
import { Nothing } from '../primitives.ts'

/** Rows of the API table: links, exports and deletions of personal data. */
export const PRIVACY_ROUTES = {
  'GET /api/user/discord': {
    summary: 'Get the linked Discord account',
    auth: 'user',
    limit: 'read',
    output: DiscordState,
  },
  'POST /api/user/discord': {
    summary: 'Start linking a Discord account',
    auth: 'user',
    limit: 'factorSettings',
    input: DiscordBegin,
    output: DiscordBegun,
  },
  'DELETE /api/user/discord': {
    summary: 'Unlink the Discord account',
    auth: 'user',
    limit: 'factorSettings',
    output: Nothing,
  },
  'POST /api/user/export': {
    summary: 'Download all data stored about the user as a JSON file',
    auth: 'user',
    limit: 'dataExport',
    takesTurn: true,
    input: ProofRequest,
    output: z.record(z.string(), z.unknown()),
  },
  'GET /api/user/deletion': {
    summary: 'Get the consequences of deleting the account',
    auth: 'user',
    limit: 'read',
    output: DepartureState,
  },
  'POST /api/user/deletion': {
    summary: 'Delete the account; access ends immediately, data is erased after 14 days',
    auth: 'user',
    limit: 'factorSettings',
    takesTurn: true,
    input: DeletionRequest,
    output: DeletionAnswer,
    status: 202,
  },
  'POST /api/auth/deletion/undo': {
    summary: 'Cancel the deletion of an account',
    auth: 'none',
    limit: 'proof',
    input: DeletionUndo,
    output: Nothing,
  },
} as const
