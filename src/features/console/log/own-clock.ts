// Colours may stand around the clock: they stay.
const COLOURS = String.raw`(?:\u001b\[[\d;]*m)*`
const CLOCK = String.raw`(?:\d{4}[-/]\d{2}[-/]\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?Z?`
const BARE = new RegExp(`^(${COLOURS})(?:\\[${CLOCK}\\]|${CLOCK}(?=[\\s\\u001b]))(${COLOURS}):?\\s+(?=\\S)`)
/** `[10:34:12 INFO]: text` keeps its word. */
const WITH_WORD = new RegExp(`^(${COLOURS}\\[)${CLOCK}\\s+(?=[A-Z]+\\])`)

/** A line without the time that its program prints first: the row has one already, in the reader's choice of zone. */
export const withoutClock = (text: string): string => text.replace(BARE, '$1$2').replace(WITH_WORD, '$1')
