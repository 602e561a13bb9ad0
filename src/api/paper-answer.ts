/** Sends one PDF document, which browsers save and never render. */
export const paperAnswer = ({ fileName, pdf }: { readonly fileName: string; readonly pdf: string }) => ({
  body: new Uint8Array(Buffer.from(pdf, 'base64')),
  headers: {
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  },
})
