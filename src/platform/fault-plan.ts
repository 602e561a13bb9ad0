import * as z from 'zod'

/**
 * The fault that the environment variable FAULT injects into a program under test: `name:visit:action`, for example
 * `order.after-hold:1:kill`. The action `delay` waits 5 seconds, and `stop` until somebody continues or ends the process.
 * Production refuses the variable.
 */
export const FaultPlan = z
  .string()
  .regex(/^[a-z][a-z0-9.-]*:[1-9][0-9]*:(kill|throw|delay|stop)$/)
  .transform((text) => {
    const [name = '', visit = '1', action = 'throw'] = text.split(':')
    return { name, visit: Number(visit), action: action as 'kill' | 'throw' | 'delay' | 'stop', delayMs: 5_000 }
  })
export type FaultPlan = z.infer<typeof FaultPlan>

/** The text of a plan, for the environment of a process that this one starts. */
export const faultText = ({ name, visit, action }: FaultPlan): string => `${name}:${visit}:${action}`
