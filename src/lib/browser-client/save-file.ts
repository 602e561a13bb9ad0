/** Opens an address whose response the browser saves; the page stays. */
export const saveAddress = (address: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.rel = 'noreferrer'
  link.download = ''
  link.click()
}

/** Offers a file to the reader as a download. */
export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
