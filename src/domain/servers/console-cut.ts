/**
 * A node writes it at both sides of a place at which it has cut a line of a console that was too long. People see there that the line goes on, and
 * whoever redacts it knows that the word at the mark is a part of one.
 */
export const CONSOLE_CUT = '\u22EF'
