import type { FaultPoint as AnyFaultPoint } from '#platform/fault-point.ts'

/** A fault point of the agent, named in one of these lists. */
export type FaultPoint = AnyFaultPoint<FaultName>

/** Every fault point of the agent above its drivers; the fault tests walk this list. */
export const FAULT_NAMES = [
  'create.folders',
  'create.identity',
  'install.accepted',
  'install.wiped',
  'install.recorded',
  'install.spawned',
  'install.exited',
  'start.accepted',
  'start.recorded',
  'start.spawned',
  'stop.accepted',
  'stop.recorded',
  'stop.signalled',
  'exit.observed',
  'command.finished',
  'delete.accepted',
  'delete.ended',
  'delete.renamed',
  'delete.removed',
] as const

/** Fault points of the Docker driver: its record of a task, and before and after each call to the engine. */
export const DOCKER_FAULT_NAMES = [
  'docker.claimed',
  'docker.creating',
  'docker.created',
  'docker.starting',
  'docker.started',
  'docker.recorded',
  'docker.attaching',
  'docker.attached',
  'docker.signalling',
  'docker.signalled',
  'docker.removing',
  'docker.removed',
] as const

/** Fault points of an ACME order, where the state on disk and at the authority differ. */
export const ACME_FAULT_NAMES = ['acme.key', 'acme.account', 'acme.ordered', 'acme.finalized', 'acme.stored'] as const
export type FaultName =
  (typeof FAULT_NAMES)[number] | (typeof DOCKER_FAULT_NAMES)[number] | (typeof ACME_FAULT_NAMES)[number]
