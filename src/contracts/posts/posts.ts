/** `blog` posts stand on the blog, `change` posts on the list of changes. */
export const POST_KINDS = ['blog', 'change'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** The tags that editors choose from. Each has a page of its own, so their number is bounded. */
export const POST_TAGS = ['minecraft', 'first-steps', 'performance', 'worlds', 'plugins', 'support'] as const
export type PostTag = (typeof POST_TAGS)[number]

export const postTagOf = (name: string): PostTag | undefined => POST_TAGS.find((tag) => tag === name)

/** The covers that the site brings for posts (`src/pictures/posts`). */
export const POST_COVERS = ['memory', 'moving', 'trial', 'plugins', 'ticket', 'lamps'] as const
export type PostCover = (typeof POST_COVERS)[number]

/** Bounds of a post's texts, and the number of posts of one page of the blog. */
export const POST_BOUNDS = { title: 140, slug: 80, lead: 320, author: 80, perPage: 20, feed: 30 } as const

/** The address of a post by its name in the address, without a language. */
export const postPath = (slug: string): string => `/blog/${slug}`

/** The address of the blog's posts with a tag, without a language. */
export const tagPath = (tag: PostTag): string => `/blog/tag/${tag}`
