import * as z from 'zod'
import { Id } from '../primitives.ts'
import {
  ModificationAnswer,
  ModificationQuote,
  ModificationQuoteRequest,
  ModificationRequest,
  ServerSize,
} from '../http/modification.ts'
import { KeptPackage, PackageChangeAnswer, PackageChangeRequest, ServerPackages } from '../http/package-change.ts'
import { AutoRenewal, RenewalQuote, RenewalQuoteQuery, RenewAnswer, RenewRequest } from '../http/renewal.ts'
import { ArchiveAccess } from '../http/server.ts'

const ServerPath = z.object({ id: Id })

/** Rows of the API table: the paid time and the size of a server. Only for its owner, whose money it is. */
export const RENEWAL_ROUTES = {
  'GET /api/server/{id}/renewal': {
    summary: 'Get a quote for renewing a server',
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
    summary: 'Turn automatic renewal of a server on or off',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    input: AutoRenewal,
    output: AutoRenewal,
  },
  'POST /api/server/{id}/archive': {
    summary: 'Get a single-use download address for the files of an expired server',
    auth: 'user',
    limit: 'consoleToken',
    path: ServerPath,
    call: 'archive-access',
    idAs: 'serverId',
    output: ArchiveAccess,
  },
  'GET /api/server/{id}/size': {
    summary: 'Get the size of a server and the limits of a resize',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    call: 'server-size',
    idAs: 'serverId',
    output: ServerSize,
  },
  'POST /api/server/{id}/modification/quote': {
    summary: 'Get a quote for resizing a server for the rest of its paid time',
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
    summary: 'Resize a server',
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
  'GET /api/server/{id}/packages': {
    summary: 'List the packages that a server can change to, with the charge of each and its next renewal',
    auth: 'user',
    limit: 'quote',
    path: ServerPath,
    call: 'server-packages',
    idAs: 'serverId',
    output: ServerPackages,
  },
  'POST /api/server/{id}/package': {
    summary: 'Change the package of a server: immediately to a more expensive one, at the next renewal to any other',
    auth: 'user',
    limit: 'order',
    path: ServerPath,
    input: PackageChangeRequest,
    call: 'change-package',
    idAs: 'serverId',
    inputAs: 'request',
    output: PackageChangeAnswer,
    status: 201,
    idempotency: 'required',
  },
  'POST /api/server/{id}/package/keep': {
    summary: 'Cancel the planned change of the package of a server',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    call: 'keep-package',
    idAs: 'serverId',
    output: KeptPackage,
  },
} as const
