declare module '7z-wasm/7zz.wasm' {
  /** The bundler's `binary` loader. */
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}
