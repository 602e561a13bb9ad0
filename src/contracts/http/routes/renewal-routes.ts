import * as z from 'zod'
import { Id } from '../../primitives.ts'
import {
  ModificationAnswer,
  ModificationQuote,
  ModificationQuoteRequest,
  ModificationRequest,
  ServerSize,
} from '../modification.ts'
import { AutoRenewal, RenewalQuote, RenewalQuoteQuery, RenewAnswer, RenewRequest } from '../renewal.ts'
import { ArchiveAccess } from '../server.ts'

const ServerPath = z.object({ id: Id })

/** Rows of the API table: the paid time and the size of a server. They are of its owner, whose money it is. */
export const RENEWAL_ROUTES = {
  'GET /api/server/{id}/renewal': {
    summary: 'What some months more would cost now',
    auth: 'user',
    limit: 'quote',
    path: ServerPath,
    query: RenewalQuoteQuery,
    call: 'renewal-quote',
    idAs: 'serverId',
    output: RenewalQuote,
  },
  'POST /api/server/{id}/renew': {
    summary: 'Renew a server for 1 to 6 months',
    auth: 'user',
    limit: 'order',
    path: ServerPath,
    input: RenewRequest,
    output: RenewAnswer,
    status: 201,
    idempotency: 'required',
  },
  'PUT /api/server/{id}/auto-renewal': {
    summary: 'Have a server renewed by itself, or not',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    input: AutoRenewal,
    output: AutoRenewal,
  },
  'POST /api/server/{id}/archive': {
    summary: 'Where the folder of an expired server can be taken from, once',
    auth: 'user',
    limit: 'consoleToken',
    path: ServerPath,
    call: 'archive-access',
    idAs: 'serverId',
    output: ArchiveAccess,
  },
  'GET /api/server/{id}/size': {
    summary: 'The size of a server, and what fixes it',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    call: 'server-size',
    idAs: 'serverId',
    output: ServerSize,
  },
  'POST /api/server/{id}/modification/quote': {
    summary: 'What other resources would cost or give back for the rest of the paid time',
    auth: 'user',
    limit: 'quote',
    path: ServerPath,
    input: ModificationQuoteRequest,
    call: 'modification-quote',
    idAs: 'serverId',
    inputAs: 'request',
    output: ModificationQuote,
  },
  'POST /api/server/{id}/modification': {
    summary: 'Give a server other resources',
    auth: 'user',
    limit: 'order',
    path: ServerPath,
    input: ModificationRequest,
    call: 'modify-server',
    idAs: 'serverId',
    inputAs: 'request',
    output: ModificationAnswer,
    status: 201,
    idempotency: 'required',
  },
} as const
