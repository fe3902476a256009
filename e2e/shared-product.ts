import type { TestProject } from 'vitest/node'
import { noBrowser } from './browser.ts'
import { startProduct, type ProductPlace } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** For all files whose stories need no environment of their own. */
    product: ProductPlace | undefined
  }
}

/** Starts it before all files, so that it also builds the console once, and not each worker for itself at the same time. */
export async function setup(project: TestProject): Promise<(() => Promise<unknown>) | undefined> {
  if (noBrowser) return undefined
  const { url, data, stop } = await startProduct({}, 'npm start')
  project.provide('product', { url, data })
  return stop
}
