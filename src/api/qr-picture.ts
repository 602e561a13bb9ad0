import { renderSVG } from 'uqr'

/** A QR code of the text as a picture that a page holds in itself: it is never an address that somebody could ask for. */
export const qrPicture = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 2, ecc: 'M' })).toString('base64')}`
