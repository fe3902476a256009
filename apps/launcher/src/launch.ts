import { PostgresRefusal } from '@gantry/postgres/refusal'
import { announcement } from './announce.ts'
import type { Mains } from './parts.ts'
import { startProduct, type Product } from './product.ts'
import { Refusal } from './refusal.ts'
import { readSettings } from './settings.ts'
import { GaveUp } from './supervisor.ts'
import { onEndSignals } from './signals.ts'

const report = (line: string): void => console.log(`Gantry: ${line}`)

const refuse = async (error: unknown, product?: Product): Promise<never> => {
  if (error instanceof Refusal || error instanceof PostgresRefusal) console.error(`Gantry: ${error.message}`)
  else if (!(error instanceof GaveUp)) console.error(error)
  await product?.stop()
  process.exit(1)
}

const start = async (mains?: Mains): Promise<void> => {
  const settings = readSettings(process.env)
  const product = startProduct(settings, process.env, report, mains)
  onEndSignals({
    drain: async () => {
      report('ending; a second signal ends at once.')
      await product.stop()
      process.exit(0)
    },
    atOnce: (code) => {
      product.kill()
      process.exit(code)
    },
  })
  const started = await product.ready.catch((error: unknown) => refuse(error, product))
  console.log(announcement(settings, started))
}

/** The whole life of `npm start`. Ends the process itself: 0 after a drain, 1 with one line where it cannot start. */
export const launch = (mains?: Mains): Promise<void> => start(mains).catch((error: unknown) => refuse(error))
