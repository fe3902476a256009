// Replaces the agent and the sandbox: writes down what it was given, and waits.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { SANDBOX_DATA, GANTRY_AGENT_DIR = '' } = process.env

const told = JSON.stringify({ pid: process.pid, env: process.env })
const file = join(SANDBOX_DATA ?? GANTRY_AGENT_DIR, SANDBOX_DATA ? 'kubeconfig' : 'told.json')
// renamed when complete, so that a reader never finds a part of it
writeFileSync(`${file}.part`, told)
renameSync(`${file}.part`, file)
process.on('SIGTERM', () => process.exit(0))
setInterval(() => undefined, 60_000)
