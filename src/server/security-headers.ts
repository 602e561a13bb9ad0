/** Headers of every response. HSTS covers only this host, because customers' own hosts may be below the domain. */
export const securityHeaders = (isSecure: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'SAMEORIGIN',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=(self), interest-cohort=()',
  ...(isSecure ? { 'Strict-Transport-Security': 'max-age=63072000' } : {}),
})
