// Replaces the server in the launcher's own tests: says when it is ready, and reports what it was given.
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { GANTRY_DATA = '', GANTRY_PORT, GANTRY_HOST, GANTRY_READY_FILE = '', GANTRY_SHARES_PORT } = process.env
const { STAND_IN_REFUSES } = process.env

if (STAND_IN_REFUSES) {
  console.error(STAND_IN_REFUSES)
  process.exit(1)
}
const password = join(GANTRY_DATA, 'admin-password')
if (!existsSync(password)) writeFileSync(password, 'made-by-the-server\n', { mode: 0o600 })

let waiting = 0
let draining = () => undefined as void
const server = createServer((request, response) => {
  if (request.url === '/never') waiting += 1
  else if (request.url === '/slow') {
    waiting += 1
    draining = () => void response.end('whole')
  } else if (request.url === '/waiting') response.end(String(waiting))
  else response.end(JSON.stringify({ pid: process.pid, env: process.env }))
})
server.listen({ port: Number(GANTRY_PORT), host: GANTRY_HOST, reusePort: GANTRY_SHARES_PORT === 'on' }, () =>
  writeFileSync(GANTRY_READY_FILE, ''),
)
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeIdleConnections()
  draining()
})
