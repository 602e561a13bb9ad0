import { helpPosts } from './content/posts/help.ts'
import { firstPosts } from './content/posts/first-steps.ts'
import { postDocuments } from './content/posts/post-seed.ts'
import { worldPosts } from './content/posts/worlds.ts'
import { createLocalized, type SeedTarget } from './write-localized.ts'

/** Writes the posts of the demo, in three languages and published. */
export const seedPosts = async (target: SeedTarget): Promise<void> => {
  for (const post of postDocuments([...firstPosts, ...worldPosts, ...helpPosts]))
    await createLocalized(target, 'posts', post)
}
