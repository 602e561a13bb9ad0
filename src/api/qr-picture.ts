import { renderSVG } from 'uqr'

/** A QR code of the text as an inline picture: it has no address that could be requested. */
export const qrPicture = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text, { border: 2, ecc: 'M' })).toString('base64')}`
