/** Closed to everyone over HTTP; the product's own code goes around access by `overrideAccess`. */
export const nobody = (): boolean => false
