import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs vitest with these arguments on the lab's PostgreSQL instead of the embedded one. */
const program = join(process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../shared'), 'services/postgres')
const env = { ...process.env, POSTGRES_DB: 'gantry' }
// if it runs already, it would not create this database
execFileSync(program, ['down'], { env })
const said = execFileSync(program, ['up'], { encoding: 'utf8', env })
const address = /^POSTGRES_URL=(.*)\/[^/]*$/m.exec(said)?.[1]
if (address === undefined) throw new Error(`the lab's PostgreSQL does not say where it is:\n${said}`)
const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, GANTRY_TEST_DATABASE: `${address}/%s` },
})
execFileSync(program, ['down'], { env })
process.exitCode = status ?? 1
