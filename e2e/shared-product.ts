import type { TestProject } from 'vitest/node'
import { noBrowser } from './browser.ts'
import { startProduct, type ProductPlace } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** For all files whose stories need no variables of their own. */
    product: ProductPlace | undefined
  }
}

/** Starts the product before all files, so that it builds the console once, instead of once per worker. */
export async function setup(project: TestProject): Promise<(() => Promise<unknown>) | undefined> {
  if (noBrowser) return undefined
  const { url, data, stop } = await startProduct({}, 'npm start')
  project.provide('product', { url, data })
  return stop
}
