import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { version } from './version.mjs'

/** What this service says to a request: a status and a text. */
export function answer(method, path) {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'Only GET and HEAD are answered here\n' }
  if (path === '/healthz') return { status: 200, text: 'ok\n' }
  if (path === '/') return { status: 200, text: `Hello from ${version}\n` }
  return { status: 404, text: `There is nothing at ${path}\n` }
}

export function createService() {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service')
    const { status, text } = answer(request.method ?? '', pathname)
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-version': version })
    response.end(text)
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.env.PORT ?? 8080)
  const service = createService().listen(port, () => {
    process.stdout.write(`hello ${version} listens on port ${port}\n`)
  })
  // Requests under way get their answer before the process ends.
  process.once('SIGTERM', () => {
    service.close(() => process.exit(0))
    service.closeIdleConnections()
  })
}
