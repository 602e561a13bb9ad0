import { noteTaken } from '../../control-plane/money/modification/pending-sizes.ts'
import type { Context } from '../../control-plane/platform/context.ts'
import type { ObserveDeps } from '../../control-plane/servers/provisioning/observe.ts'

/** A context with the hub's part: a size that a node has is recorded as delivered, as in production. */
export const observing = <Base extends Pick<Context, 'clock'>>(context: Base): Base & Pick<ObserveDeps, 'onTaken'> => ({
  ...context,
  onTaken: (tx, taken) => noteTaken(tx, context, taken),
})
