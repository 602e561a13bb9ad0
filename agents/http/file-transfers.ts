import type { JobResult } from '#contracts/panel/file-jobs.ts'
import type { TransferRequest } from '#contracts/panel/node-files.ts'
import type { FilesTokenClaims } from '#contracts/panel/token.ts'
import { FileFailure } from '../files/file-failure.ts'
import type { NamedWork } from '../files/job-work.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { transfer, type Arrived, type TransferEnds } from '../files/transferring/transfer.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { ConsoleTokens } from './console-token.ts'
import { transferActivities, type FileActivity } from './file-activity.ts'
import { refuseMissing } from './missing-permission.ts'
import { presentServer } from './present-server.ts'
import type { Revocations } from './revocations.ts'

/** A server of a transfer, and its person's right to it. */
export interface TransferSide {
  readonly server: ManagedServer
  readonly claims: FilesTokenClaims
}

interface TransferDeps {
  readonly tokens: Pick<ConsoleTokens, 'readFiles'>
  readonly revocations: Pick<Revocations, 'covers'>
  readonly files: ServerFiles
  find(serverId: string): ManagedServer | undefined
}

/** Throws `READ_ONLY` if one of the two servers may not change as the transfer would change it. */
const refuseReadOnly = (files: ServerFiles, request: TransferRequest, [source, target]: Sides): void => {
  if (files.isReadOnly(target.server) || (request.moves && files.isReadOnly(source.server))) {
    throw new FileFailure('READ_ONLY')
  }
}

/**
 * The other side of a transfer. Throws what forbids it: a token that is not valid for that server, one of somebody else, a permission that is
 * missing on one of the two, or a server that may not change.
 */
export const otherSide = async (
  deps: TransferDeps,
  request: TransferRequest,
  source: TransferSide,
): Promise<TransferSide> => {
  const { tokens, revocations, files } = deps
  if (request.server === source.server.core.id) throw new FileFailure('INVALID_REQUEST')
  const reading = await tokens.readFiles(request.token, request.server)
  if (!reading.ok || revocations.covers(reading.claims)) throw new FileFailure('INVALID_TOKEN')
  const { claims } = reading
  if (claims.sub !== source.claims.sub) throw new FileFailure('FORBIDDEN')
  refuseMissing(claims, request.taken === 'replace' ? ['file.create', 'file.update'] : ['file.create'])
  if (request.moves) refuseMissing(source.claims, ['file.update'])
  const target = { server: presentServer(deps.find(request.server)), claims }
  refuseReadOnly(files, request, [source, target])
  return target
}

const nameOfServer = ({ server }: TransferSide): string => server.core.spec?.identifier ?? ''

/** Runs a transfer; `note` gets what has happened on each side, also of one that was cancelled or failed in the middle. */
export const runTransfer = async ({ request, sides, files, note }: Running, work: NamedWork): Promise<JobResult> => {
  const [source, target] = sides
  const done: Arrived[] = []
  const ends: TransferEnds = {
    source: { use: (run) => files.use(source.server, run) },
    target: { use: (run) => files.use(target.server, run) },
    checkStill: () => refuseReadOnly(files, request, sides),
    arrived: (thing) => void done.push(thing),
  }
  try {
    return await transfer(request, ends, work)
  } finally {
    const names = { source: nameOfServer(source), target: nameOfServer(target) }
    const entries = transferActivities(done, names)
    for (const entry of entries.source) note(source, entry)
    for (const entry of entries.target) note(target, entry)
  }
}

type Sides = readonly [source: TransferSide, target: TransferSide]

interface Running {
  readonly request: TransferRequest
  readonly sides: Sides
  readonly files: ServerFiles
  note(side: TransferSide, entry: FileActivity): void
}
