import { CONSOLE_CUT } from '#domain/servers/console-cut.ts'

/** What an agent writes at both sides of a place at which it, or its engine, has cut a line that was too long. */
export const CUT_MARK = CONSOLE_CUT
