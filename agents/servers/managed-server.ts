import { AGENT_SHUTDOWN_REQUEST, type AgentCommand } from '#contracts/agent/session.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { noteLine, type NoteLine } from '../console/notes.ts'
import { adopt, type Remainder } from './adopt-dangling.ts'
import { settleAfterFailure } from './after-failure.ts'
import { install, reinstall } from './install.ts'
import { AutoStart } from './auto-start.ts'
import { failureOf, kill, OK, refusal, restart, start, stop } from './power.ts'
import { PowerQueue } from './power-queue.ts'
import type { ServerCore } from './server-core.ts'
import { serverExited } from './server-end.ts'
import type { StartGate } from './start-gate.ts'
import type { CommandResult, Work } from './state-file.ts'
import { isStopLine } from './stop-chain.ts'

export type PowerAction = 'start' | 'stop' | 'restart' | 'kill'
type Action = (core: ServerCore, work: Work) => Promise<CommandResult>

const POWER: Readonly<Record<PowerAction, Action>> = {
  start: (core, work) => start(core, work),
  stop,
  restart,
  kill,
}
const MAX_LINE_BYTES = 4_096

const failedAction = (action: Work['kind'], { code, detail }: CommandResult): NoteLine =>
  noteLine({
    code: 'action-failed',
    params: { action, reason: code, detail: detail === '' ? '' : ` (${detail})` },
  })

/** The welcome's data about one server. */
export interface SaidOfServer {
  readonly generation: number
  readonly suspended?: boolean | undefined
  readonly expiresAtMs?: number | undefined
}

/** Commands except those that the manager itself handles. */
export type ServerCommand = Exclude<AgentCommand, { kind: 'delete' }>

/** One server as the rest of the agent sees it: takes commands, runs one at a time, and each id at most once. */
export class ManagedServer {
  readonly core: ServerCore
  readonly #queue = new PowerQueue<CommandResult>()
  readonly #onReport: (error: unknown) => void
  readonly #autoStart: AutoStart
  /** Ids of commands in progress. */
  readonly #executing = new Set<string>()

  constructor(core: ServerCore, gate: StartGate) {
    this.core = core
    this.#autoStart = new AutoStart(core, gate, (work, byItself) =>
      this.#act(work, (target, mine) => start(target, mine, byItself)),
    )
    core.onMove = (state) => this.#autoStart.moved(state)
    this.#onReport = (error) => core.deps.log.error({ err: error, serverId: core.id }, 'action failed')
    core.onServerExit = async (exit) => {
      await serverExited(core, exit)
      this.#autoStart.schedule()
    }
  }

  /** Finds the server's remains and continues with them. Resolves when the server is known; long work continues. */
  async adopt(): Promise<void> {
    const remainder: Remainder = await adopt(this.core)
    this.#autoStart.moved(this.core.record.state)
    this.#autoStart.schedule()
    if (remainder !== undefined)
      void this.#queue.add(() => this.#carryOut(remainder.work, remainder.run)).catch(this.#onReport)
    // The agent may have been killed after it recorded why the server must not run, and before it began to end it.
    const { core } = this
    const mustNotRun = core.record.fencedAt !== null || core.spec?.suspended === true
    if (mustNotRun && core.isLive) void this.power('stop').catch(this.#onReport)
  }

  /**
   * Runs a command of the control plane (rules A4, A5). A known id gets its result again and never runs again; a
   * command older than the node's state is refused.
   */
  async execute(command: ServerCommand): Promise<void> {
    const { core } = this
    const known = core.record.commands.find((entry) => entry.id === command.id)
    if (known?.result) {
      core.answer(command.id, known.result)
      return
    }
    core.deps.emit({ kind: 'command.accepted', commandId: command.id, serverId: core.id })
    if (this.#executing.has(command.id) || (known && core.record.work?.commandId === command.id)) return
    const newest = Math.max(core.spec?.generation ?? 0, core.record.fencedAt ?? 0)
    if (command.generation < newest) {
      core.answer(command.id, refusal('STALE_GENERATION', `This node knows generation ${newest}.`))
      return
    }
    const commands = [...core.record.commands, { id: command.id, result: null }]
    core.save({ spec: command.spec, fencedAt: null, commands: known ? core.record.commands : commands })
    this.#applySuspension(command.spec)
    this.#executing.add(command.id)
    try {
      await this.#runCommand(command)
    } catch (error) {
      this.#onReport(error)
      const { work } = core.record
      core.finish(command.id, failureOf(error), { work })
    } finally {
      this.#executing.delete(command.id)
    }
  }

  async #runCommand(command: ServerCommand): Promise<void> {
    const { core } = this
    const base = { commandId: command.id, requestId: command.requestId, step: 0 }
    if (command.kind === 'update') {
      this.#settleUnknown(command.installed)
      await this.#fitFiles(command.spec)
      core.finish(command.id, OK, core.record.work === null ? {} : { work: core.record.work })
      return
    }
    if (command.kind === 'power') {
      await core.deps.faults(command.action === 'stop' ? 'stop.accepted' : 'start.accepted')
      if (command.paced === true && command.action === 'start') {
        await this.#autoStart.inTurn({ ...base, kind: 'start' })
        return
      }
      await this.#enqueue({ ...base, kind: command.action }, POWER[command.action])
      return
    }
    await core.deps.faults('install.accepted')
    if (command.kind === 'install') {
      await this.#enqueue({ ...base, kind: 'install' }, install)
      return
    }
    const files = command.wipe === true ? 'wipe' : 'keep'
    await this.#enqueue({ ...base, kind: 'install', reinstall: files }, reinstall)
  }

  /** Gives the files of a server that does not run their new size; those of a running one get it at its next start. */
  async #fitFiles(spec: ServerSpec): Promise<void> {
    const { core } = this
    await this.#queue.add(async () => {
      if (!core.isLive && core.record.task === null) await core.prepareFiles(spec)
      return OK
    })
  }

  /** A rebuilt record learns from the database whether the server was ever installed. */
  #settleUnknown(installed: boolean | undefined): void {
    const { core } = this
    if (core.record.state !== 'unknown' || core.record.task !== null || installed === undefined) return
    core.move(installed ? 'offline' : 'creating', { installed })
  }

  /** Applies the control plane's data about the server in the welcome. */
  learn(said: SaidOfServer): void {
    const { core } = this
    if (core.spec === null || said.generation < core.spec.generation) return
    const expiry = said.expiresAtMs === undefined ? {} : { expiresAtMs: said.expiresAtMs }
    // Only the node's next update ends a suspension: it carries the generation of that decision.
    const suspended = core.spec.suspended || said.suspended === true
    if (suspended === core.spec.suspended && core.spec.expiresAtMs === said.expiresAtMs) return
    core.save({ spec: { ...core.spec, ...expiry, suspended } })
    this.#applySuspension(core.spec)
  }

  /**
   * Since this generation another node has the server: its program here ends, and nothing starts it again (rule A15).
   */
  fence(generation: number): void {
    const { core } = this
    if ((core.spec?.generation ?? 0) >= generation || core.record.fencedAt !== null) return
    this.#autoStart.cancel()
    this.#queue.supersedeWaiting()
    core.save({ fencedAt: generation, restartAtMs: null })
    core.deps.log.error({ serverId: core.id, generation }, 'another node has this server: it is ended here')
    for (const listener of core.listeners) listener.moved()
    const { task, state } = core.record
    if (core.isLive) void this.power('stop').catch(this.#onReport)
    else if (state === 'installing' && task !== null)
      void core.deps.driver.signal(task, core.layout, 'SIGKILL').catch(this.#onReport)
  }

  /** A power action from the per-server socket. Returns the result; nobody else is notified. */
  async power(action: PowerAction): Promise<CommandResult> {
    return this.#enqueue({ commandId: null, requestId: null, kind: action, step: 0 }, POWER[action])
  }

  /** One line to the program's standard input (rule P7). */
  async writeLine(line: string): Promise<CommandResult> {
    const { core } = this
    const { task, state } = core.record
    if (/[\r\n\0]/.test(line)) return refusal('LINE_BREAK', 'A command is one line.')
    if (Buffer.byteLength(line) > MAX_LINE_BYTES) return refusal('TOO_LONG', 'A command has at most 4,096 bytes.')
    if (task === null || (state !== 'running' && state !== 'starting')) return refusal('NOT_RUNNING')
    // Typing the server's own stop command means a stop, not an end that looks like a crash.
    if (core.spec !== null && isStopLine(core.spec, line)) {
      void this.power('stop').catch(this.#onReport)
      return OK
    }
    return (await core.deps.driver.writeLine(task, core.layout, line)) ? OK : refusal('NOT_READING')
  }

  /** Ends this server's program by its stop chain, or its installation at once. Used when the whole node stops. */
  async shutDown(): Promise<void> {
    this.#autoStart.detach()
    this.#queue.supersedeWaiting()
    const { task, state } = this.core.record
    if (this.core.isLive) {
      const work: Work = { commandId: null, requestId: AGENT_SHUTDOWN_REQUEST, kind: 'stop', step: 0 }
      await this.#enqueue(work, POWER.stop)
    }
    if (state !== 'installing' || task === null) return
    await this.core.deps.driver.signal(task, this.core.layout, 'SIGKILL')
    await this.core.endsWithin(15_000)
  }

  /** Ends this server's processes without the stop chain. */
  async killNow(): Promise<void> {
    const { task } = this.core.record
    if (task !== null) await this.core.deps.driver.signal(task, this.core.layout, 'SIGKILL')
  }

  /** Ends all processes of this server, so that its folder can be removed. */
  async endForDeletion(): Promise<void> {
    const { core } = this
    this.#autoStart.cancel()
    this.#queue.supersedeWaiting()
    const { task } = core.record
    core.move('deleting')
    if (task !== null) await core.deps.driver.signal(task, core.layout, 'SIGKILL')
    await core.endsWithin(15_000)
    core.detach()
  }

  detach(): void {
    this.#autoStart.detach()
    this.core.detach()
  }

  /** A requested action: it replaces an automatic start. */
  async #enqueue(work: Work, action: Action): Promise<CommandResult> {
    this.#autoStart.cancel()
    if (this.core.record.restartAtMs !== null) this.core.save({ restartAtMs: null })
    return this.#act(work, action)
  }

  async #act(work: Work, action: Action): Promise<CommandResult> {
    const { core } = this
    const run = (): Promise<CommandResult> => this.#carryOut(work, () => action(core, work))
    const end = await (work.kind === 'kill' ? this.#queue.urgent(run) : this.#queue.add(run))
    if (end.is === 'done') return end.value
    const result = end.is === 'full' ? refusal('BUSY', 'Too many actions wait.') : refusal('SUPERSEDED')
    core.finish(work.commandId, result, { work: core.record.work })
    return result
  }

  async #carryOut(work: Work, run: () => Promise<CommandResult>): Promise<CommandResult> {
    const { core } = this
    let result: CommandResult
    try {
      result = await run()
    } catch (error) {
      this.#onReport(error)
      result = failureOf(error)
      await core.untilDone(() => settleAfterFailure(core))
    }
    await core.untilDone(async () => {
      await core.deps.faults('command.finished')
      const others = work.kind === 'kill' && core.record.work?.commandId !== work.commandId ? core.record.work : null
      core.finish(work.commandId, result, others === null ? {} : { work: others })
    })
    if (!result.ok) core.tell(failedAction(work.kind, result))
    return result
  }

  #applySuspension(spec: ServerSpec): void {
    if (!spec.suspended) return
    this.#autoStart.cancel()
    for (const listener of this.core.listeners) listener.suspended()
    if (this.core.isLive) void this.power('stop').catch(this.#onReport)
  }
}
