import type { Page, Request } from 'playwright-core'

/** The loads of a page, as the browser counts them: requests, and compressed bytes. */
export interface Weight {
  requests: number
  kB: number
}

/** Begins to count; each call answers what was loaded since the last one, once nothing is pending. */
export function weigh(page: Page): () => Promise<Weight & { of: string[] }> {
  let ended: Request[] = []
  page.on('requestfinished', (request) => ended.push(request))
  return async () => {
    await page.waitForLoadState('networkidle')
    const all = ended
    ended = []
    const sizes = await Promise.all(
      all.map(async (request): Promise<[string, number]> => {
        const { responseBodySize } = await request.sizes()
        return [new URL(request.url()).pathname, responseBodySize]
      }),
    )
    const kB = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000
    return { requests: all.length, kB, of: sizes.map(([path, bytes]) => `${path} ${bytes}`) }
  }
}

/** The loads of a page by file, if they exceed the limit. */
export const beyond = ({ kB, requests, of }: Weight & { of: string[] }, most: Weight): string[] =>
  kB <= most.kB && requests <= most.requests ? [] : [`${kB} kB in ${requests} requests`, ...of]
