/**
 * A catalog whose "e-mail" and "e-mail-cím" do not end a line after the first letter: pages get the non-breaking
 * hyphen, so that the catalogs can be typed and searched with the usual one.
 */
export const unbrokenWords = <Catalog>(catalog: Catalog): Catalog =>
  JSON.parse(JSON.stringify(catalog).replaceAll(/\b(e)-(mail)/gi, '$1\u2011$2')) as Catalog
