import { PostgresRefusal } from '@gantry/postgres/refusal'
import { announcement } from './announce.ts'
import { startProduct, type Choices, type Product } from './product.ts'
import { Refusal } from './refusal.ts'
import { readSettings } from './settings.ts'
import { GaveUp } from './supervisor.ts'
import { onEndSignals } from './signals.ts'

const report = (line: string): void => console.log(`Gantry: ${line}`)

/** A line for what its owner can mend; a part that gave up has said why itself. */
export const exitWithRefusal = async (error: unknown, product?: Product): Promise<never> => {
  if (error instanceof Refusal || error instanceof PostgresRefusal) console.error(`Gantry: ${error.message}`)
  else if (!(error instanceof GaveUp)) console.error(error)
  await product?.stop()
  process.exit(1)
}

const start = async (choices: Choices): Promise<void> => {
  const settings = readSettings(process.env)
  const product = startProduct(settings, process.env, report, choices)
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
  console.log(announcement(await product.ready.catch((error: unknown) => exitWithRefusal(error, product))))
}

/** The whole life of `npm start`. Ends the process itself: 0 after a drain, 1 with one line where it cannot start. */
export const launch = (choices: Choices = {}): Promise<void> =>
  start(choices).catch((error: unknown) => exitWithRefusal(error))
