/** Public content: visible without an account. */
export const anyone = (): boolean => true
