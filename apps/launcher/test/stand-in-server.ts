// Stands in for the server in the launcher's own tests: answers /readyz, and tells what it was given.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { GANTRY_DATA = '', GANTRY_PORT, GANTRY_HOST, STAND_IN_REFUSES } = process.env

if (STAND_IN_REFUSES) {
  console.error(STAND_IN_REFUSES)
  process.exit(1)
}
try {
  writeFileSync(join(GANTRY_DATA, 'admin-password'), 'made-by-the-server\n', { mode: 0o600, flag: 'wx' })
} catch {
  // Not the first start.
}
const server = createServer((request, response) => {
  if (request.url === '/slow') setTimeout(() => response.end('whole'), 1_000)
  else response.end(JSON.stringify({ pid: process.pid, env: process.env }))
})
server.listen(Number(GANTRY_PORT), GANTRY_HOST)
process.on('SIGTERM', () => server.close(() => process.exit(0)))
