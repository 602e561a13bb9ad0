/** How long a program may take to end after each step of the stop, in seconds. */
export const STOP_TIMEOUT_S = { least: 10, usual: 30, most: 300 } as const

/** How a server is run: its clock, whether it starts by itself, and the patience of a stop. */
export type Operation = {
  /** An IANA name; null for the clock of its machine. */
  readonly timeZone: string | null
  readonly autoStart: boolean
  readonly stopTimeoutS: number
}

export type OperationPart = keyof Operation

/** The parts in which two settings differ. */
export const changedParts = (one: Operation, other: Operation): OperationPart[] =>
  (['timeZone', 'autoStart', 'stopTimeoutS'] as const).filter((part) => one[part] !== other[part])

/** The variable by which programs know their time zone (POSIX.1, section 8.3). */
export const TIME_ZONE_VARIABLE = 'TZ'
