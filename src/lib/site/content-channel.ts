/** Every process of the site listens here; what is told is the slug of a collection or global that changed. */
export const CONTENT_CHANNEL = 'bakter_content'
