import { CONSOLE_CUT } from '#domain/servers/console-cut.ts'

/** An agent writes this at both sides of the place at which it, or its engine, has cut a line that was too long. */
export const CUT_MARK = CONSOLE_CUT
