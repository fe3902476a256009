import { labCluster } from '../apps/server/test/lab.ts'
import { noBrowser } from './browser.ts'
import { startFresh } from './product.ts'

/** Starts the lab's cluster and builds the console before all files, so that no two workers do either at the same time. */
export async function setup(): Promise<void> {
  if (labCluster() && !noBrowser) await (await startFresh({}, 'npm start')).stop()
}
