import type { InternalCallName, InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import type { PaymentContext } from '../money/payments/payment-context.ts'
import type { ClockGuard } from '../money/lifetime/clock-guard.ts'
import type { PortProbe } from '../platform/port-probe.ts'
import type { ReadTail } from '../servers/nodes/console-tail.ts'
import type { MailSealing } from '../messages/mail/mail-context.ts'

/** The metadata of a call: its request id, which is shared by all programs, and its idempotency key. */
export type CallMeta = { readonly requestId: string; readonly idempotencyKey: string | undefined }

/** One function for each call of the contract's table. */
export type InternalCalls = {
  readonly [Name in InternalCallName]: (input: InternalInput<Name>, meta: CallMeta) => Promise<InternalOutput<Name>>
}

/** Calls that other parts of the control plane handle. Refusals are thrown as `ApiRefusal` or AppError. */
export type ServerCalls = {
  /** Requests a power action; returns the command's id at once. A repeated `requestId` returns the same command. */
  requestPower(input: InternalInput<'power'>, meta: CallMeta): Promise<InternalOutput<'power'>>
  /** A token for the per-server socket, with the caller's permissions. */
  consoleAccess(input: InternalInput<'console-access'>, meta: CallMeta): Promise<InternalOutput<'console-access'>>
  /** A token of one purpose for direct calls to the server's node. */
  nodeToken(input: InternalInput<'node-token'>, meta: CallMeta): Promise<InternalOutput<'node-token'>>
  /** A single-use address of the archive of an expired server. */
  archiveAccess(input: InternalInput<'archive-access'>, meta: CallMeta): Promise<InternalOutput<'archive-access'>>
}

export type NodeCalls = {
  nodeOrigins(): Promise<InternalOutput<'node-origins'>>
  /** The last lines of a server's console, as its node tells them now. */
  consoleTail(server: { nodeId: string; serverId: string }): Promise<ReadTail>
  enrolmentToken(input: InternalInput<'enrolment-token'>): Promise<InternalOutput<'enrolment-token'>>
  forceMove(input: InternalInput<'force-move'>, meta: CallMeta): Promise<InternalOutput<'force-move'>>
}

export type NudgeCalls = {
  sessionEnded(input: InternalInput<'session-ended'>): Promise<void>
  nudge(input: InternalInput<'nudge'>): Promise<void>
}

export type ApiDeps = MailSealing & {
  readonly context: PaymentContext
  /** The secret that the site sends with every call. */
  readonly secret: string
  /** The public key for push subscriptions. */
  readonly pushPublicKey: string
  /** Decides whether automatic billing may run. */
  readonly clockGuard: ClockGuard
  /** Connects to ports of nodes. */
  readonly probe: PortProbe
  /** Looks at the files of tickets before they are kept. */
  readonly scanner: VirusScanner
  readonly servers: ServerCalls
  readonly nodes: NodeCalls
  readonly nudges: NudgeCalls
}
