// Stands in for the agent and the sandbox: writes down what it was given, and waits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { SANDBOX_DATA, GANTRY_AGENT_DIR = '' } = process.env

const told = JSON.stringify({ pid: process.pid, env: process.env })
writeFileSync(join(SANDBOX_DATA ?? GANTRY_AGENT_DIR, SANDBOX_DATA ? 'kubeconfig' : 'told.json'), told)
process.on('SIGTERM', () => process.exit(0))
setInterval(() => undefined, 60_000)
