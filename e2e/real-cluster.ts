import { labCluster } from '../apps/server/test/lab.ts'
import { noBrowser } from './browser.ts'
import { startFresh } from './product.ts'

/** Starts the lab's cluster and builds the console before all files, so that workers never do so concurrently. */
export async function setup(): Promise<void> {
  if (labCluster() && !noBrowser) await (await startFresh({}, 'npm start')).stop()
}
