import { existsSync, readFileSync } from 'node:fs'
import { PostgresRefusal } from '@gantry/postgres/refusal'
import { type Choices, type Product, type Started, startProduct } from './product.ts'
import { readSettings, Refusal } from './settings.ts'
import { GaveUp } from './supervisor.ts'
import { onEndSignals } from './signals.ts'

const report = (line: string): void => console.log(`Gantry: ${line}`)

/** Prints one line for a problem that the owner can fix; a part that gave up has already printed the reason. */
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

/** The whole life of `npm start`. Ends the process: with 0 after draining, with 1 and one line if it cannot start. */
export const launch = (choices: Choices = {}): Promise<void> =>
  start(choices).catch((error: unknown) => exitWithRefusal(error))

/** What a successful start prints: the address, the login, and the folders. */
const announcement = ({ folder, url, logs, newPassword }: Started): string => {
  const file = folder.adminPasswordFile
  const login = newPassword
    ? `admin, password ${readFileSync(file, 'utf8').trim()} (shown this once; kept in ${file})`
    : `admin${existsSync(file) ? ` (its first password is in ${file})` : ''}`
  return [
    'Gantry is ready.',
    `  Open    ${url}`,
    `  Log in  ${login}`,
    `  Data    ${folder.root}`,
    ...(logs === undefined ? [] : [`  Logs    ${logs}`]),
    '  Stop    Ctrl+C',
  ].join('\n')
}
