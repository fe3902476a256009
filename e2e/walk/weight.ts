import type { Page, Request } from 'playwright-core'

/** What a page loads, as the browser counts it: requests, and bytes as they came over the line. */
export interface Weight {
  requests: number
  kB: number
}

/** Begins to count; each look says what has come since the last, once nothing more is under way. */
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

/** What a page has loaded, file by file, where it is more than it may be. */
export const beyond = ({ kB, requests, of }: Weight & { of: string[] }, most: Weight): string[] =>
  kB <= most.kB && requests <= most.requests ? [] : [`${kB} kB in ${requests} requests`, ...of]
