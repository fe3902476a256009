// Stands in for the agent and the sandbox: writes down what it was given, and waits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SANDBOX_DATA'] ?? process.env['GANTRY_AGENT_DIR'] ?? ''
writeFileSync(join(folder, 'stand-in.json'), JSON.stringify({ pid: process.pid, env: process.env }))
setInterval(() => undefined, 60_000)
