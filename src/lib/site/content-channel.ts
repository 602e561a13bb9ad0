/** Every process of the site listens here; a notification carries the slug of the collection or global that changed. */
export const CONTENT_CHANNEL = 'bakter_content'
