/** Closed to everyone over HTTP; the product's own code bypasses it by `overrideAccess`. */
export const nobody = (): boolean => false
