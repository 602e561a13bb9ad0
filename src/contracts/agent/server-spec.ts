import * as z from 'zod'
import { Id, Identifier } from '../primitives.ts'
import { PlayerQuery } from './player-query.ts'
import { StopMethod } from './stop-method.ts'

export const PowerActionWord = z.enum(['start', 'stop', 'restart', 'kill'])

/**
 * A program to run: argv only, never a shell line. A part may hold `{{program:NAME}}` (a program of the agent's own
 * list), `{{root}}`, `{{port}}`, `{{port:N}}`, `{{memoryMiB}}`, `{{env:NAME}}` and what imported templates call these
 * (`placeholder.ts`); nothing else is replaced.
 */
export const Program = z.object({
  argv: z.array(z.string().max(4_096)).min(1).max(64),
  timeoutMs: z.int().positive().optional(),
})
export type Program = z.infer<typeof Program>

export const Allocation = z.object({ ip: z.string(), port: z.int().min(1).max(65_535), primary: z.boolean() })

/**
 * A node's complete knowledge of a server. `generation` rises with every change; a command with a lower one is stale.
 */
export const ServerSpec = z.object({
  id: Id,
  identifier: Identifier,
  generation: z.int().min(1),
  name: z.string(),
  /** Reference of the image: with a digest, or a local image as `~name:tag`. Null if none is needed. */
  image: z.string().nullable(),
  /** Image of the installation programs; null or absent: that of the server. */
  installImage: z.string().nullable().optional(),
  /**
   * Every image in the template, with that of the installation: the node runs no other. Absent from older control
   * planes.
   */
  images: z.array(z.string()).optional(),
  install: z.array(Program),
  startup: Program,
  doneTexts: z.array(z.string()),
  stop: StopMethod,
  /** Milliseconds before the next signal of the chain. */
  stopTimeoutMs: z.int().positive(),
  environment: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()),
  allocations: z.array(Allocation),
  limits: z.object({
    cpuPercent: z.int(),
    memoryMiB: z.int(),
    storageMiB: z.int(),
    pids: z.int(),
    /** Swap on top of the memory; none by default. */
    swapMiB: z.int().min(0).optional(),
    /** Weight of the disk's time, 10 to 1000, where the node supports it. */
    ioWeight: z.int().min(10).max(1_000).optional(),
  }),
  suspended: z.boolean(),
  /** How the node counts the players; null or absent: it does not. */
  query: PlayerQuery.nullable().optional(),
  /**
   * When the paid time ends: afterwards the node no longer starts the server automatically. Absent from older control
   * planes.
   */
  expiresAtMs: z.int().optional(),
  /** The time zone of its programs, an IANA name. Null or absent: that of the machine. */
  timeZone: z.string().nullable().optional(),
  /** Whether the node starts it by itself, after a crash and after a restart of the machine. Absent: yes. */
  autoStart: z.boolean().optional(),
})
export type ServerSpec = z.infer<typeof ServerSpec>
