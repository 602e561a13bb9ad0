import { ControlPlaneConnection } from '../../agents/connection/control-plane-connection.ts'
import { NodeIdentity } from '../../agents/connection/identity.ts'
import { OUTBOX_LIMITS, type OutboxLimits } from '../../agents/connection/outbox-bound.ts'
import { Outbox } from '../../agents/connection/outbox.ts'
import type { Connect } from '../../agents/connection/websocket.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import type { Socket } from '../../control-plane/platform/sockets/socket.ts'
import { addComputer } from '../factories/fleet.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { ServerRig } from './server-rig.ts'
import { waitFor } from './wait-for.ts'

/** An in-memory link between a real agent's connection and a real hub, which the test can cut, or block for events. */
const linkTo = (accept: (socket: Socket) => void) => {
  let isUp = true
  const ends = new Set<(code: number) => void>()
  /** The queue to the hub: an event and everything after it, except the greeting of another connection. */
  let clogged: (() => void)[] | undefined
  const deliver = (text: string, tell: () => void): void => {
    if (
      clogged === undefined ||
      (clogged.length === 0 && !text.startsWith('{"type":"event"')) ||
      text.startsWith('{"type":"hello"')
    )
      tell()
    else clogged.push(tell)
  }
  const connect: Connect = (_url, listener) => {
    const heard: { message: ((text: string) => void)[]; close: ((code: number) => void)[] } = { message: [], close: [] }
    let ended = false
    const end = (code: number): void => {
      if (ended) return
      ended = true
      ends.delete(end)
      setImmediate(() => {
        for (const tell of heard.close) tell(code)
        listener.closed(code, '')
      })
    }
    ends.add(end)
    setImmediate(() => {
      if (!isUp) return end(1006)
      listener.opened()
      accept({
        address: '192.0.2.1',
        bufferedBytes: 0,
        send: (text) => void setImmediate(() => !ended && listener.received(text)),
        close: end,
        terminate: () => end(1006),
        pause: () => {},
        resume: () => {},
        ping: () => {},
        onMessage: (tell) => void heard.message.push(tell),
        onPong: () => {},
        onClose: (tell) => void heard.close.push(tell),
      })
    })
    return {
      send: (text) =>
        void setImmediate(() => deliver(text, () => !ended && heard.message.forEach((tell) => tell(text)))),
      close: (code) => end(code),
      drop: () => end(1006),
    }
  }
  return {
    connect,
    cut: () => {
      isUp = false
      for (const end of ends) end(1006)
    },
    join: () => {
      isUp = true
    },
    clog: () => {
      clogged = []
    },
    get isUp() {
      return isUp
    },
    get isClogged() {
      return (clogged?.length ?? 0) > 0
    },
    clear: () => {
      const waiting = clogged ?? []
      clogged = undefined
      for (const tell of waiting) tell()
    },
  }
}

interface LinkedAgentOptions {
  readonly accept: (socket: Socket) => void
  readonly limits: OutboxLimits | undefined
}

/**
 * A whole node without processes: the agent's servers on the fake runtime, its outbox and its connection, enrolled at a
 * real database and linked to a real hub. Its clock is manual.
 */
export class LinkedAgent {
  readonly rig: ServerRig
  readonly nodeId: string
  readonly link: ReturnType<typeof linkTo>
  readonly outbox: Outbox
  readonly connection: ControlPlaneConnection

  private constructor(rig: ServerRig, identity: NodeIdentity, { accept, limits }: LinkedAgentOptions) {
    this.rig = rig
    this.nodeId = identity.nodeId ?? ''
    this.link = linkTo(accept)
    const outbox = { disk: realDisk, clock: rig.clock, log: silentLog, limits: limits ?? OUTBOX_LIMITS }
    this.outbox = new Outbox(`${rig.folder}/outbox`, outbox)
    this.connection = new ControlPlaneConnection({
      url: 'http://control-plane.test',
      connect: this.link.connect,
      clock: rig.clock,
      timers: rig.timers,
      random: () => 0,
      log: silentLog,
      identity,
      outbox: this.outbox,
      agentVersion: '0',
      runtime: 'fake',
      resources: () => ({ memoryMiB: 1_024, storageMiB: 1_024, cores: 1 }),
      observed: () => rig.manager.observed(),
      onWelcome: (known) => rig.manager.welcomed(known),
      onCommand: (command) => void rig.manager.execute(command),
      onLogin: () => {},
      tailOf: (serverId) => rig.manager.consoleTail(serverId),
      onLost: () => {},
      onKeys: () => {},
      onRevoke: () => {},
    })
  }

  static async enrol(
    owner: Database,
    accept: LinkedAgentOptions['accept'],
    limits?: OutboxLimits,
  ): Promise<LinkedAgent> {
    const rig = new ServerRig()
    rig.clock.set(Date.now())
    const identity = new NodeIdentity(realDisk, rig.folder)
    const nodeId = systemIds.next()
    await owner.query(
      `insert into control.nodes (id, computer_id, public_key, name, memory_mib, storage_mib, cores, created_at)
       values ($1, $2, $3, 'node', 16384, 100000, 8, now())`,
      [nodeId, await addComputer(owner), identity.publicKey],
    )
    identity.remember({ nodeId, name: 'node' })
    const agent = new LinkedAgent(rig, identity, { accept, limits })
    await rig.agent({ welcomed: false, change: { emit: (event) => agent.connection.emit(event) } })
    agent.connection.open()
    return agent
  }

  /** Advances the node's time until the condition holds. */
  async until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
    await waitFor(what, async () => {
      // The hub's own work takes real time: a node that waits for its welcome must not time out meanwhile.
      await this.rig.timers.advance(this.link.isUp && !this.connection.isReady ? 50 : 500)
      return condition()
    })
  }

  get programs(): number {
    return [...this.rig.world.tasks.values()].filter((task) => task !== 'ruled-out' && task.exit === undefined).length
  }

  close(): void {
    this.connection.close()
    this.outbox.close()
    this.rig.remove()
  }
}
