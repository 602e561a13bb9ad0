import * as z from 'zod'

/**
 * The fault that the environment variable FAULT injects into a program under test: `name:visit:action`, for example
 * `order.after-hold:1:kill`. The action `delay` waits 5 seconds. Production refuses the variable.
 */
export const FaultPlan = z
  .string()
  .regex(/^[a-z][a-z0-9.-]*:[1-9][0-9]*:(kill|throw|delay)$/)
  .transform((text) => {
    const [name = '', visit = '1', action = 'throw'] = text.split(':')
    return { name, visit: Number(visit), action: action as 'kill' | 'throw' | 'delay', delayMs: 5_000 }
  })
export type FaultPlan = z.infer<typeof FaultPlan>
