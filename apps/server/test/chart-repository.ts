import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chartArchive } from './chart-archive.ts'

/** A template of an object that contains the value `greeting`; more lines of data may be appended. */
export const greetingTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  greeting: {{ .Values.greeting | quote }}
`
/** A template of a hook that never ends, so that an upgrade waits while helm or the server is killed. */
export const slowHook = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-wait
  annotations: { helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: before-hook-creation }
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers:
        - { name: c, image: localhost/busybox:1, command: ["true"] }
`

/** A chart repository on loopback that a test fills as needed; `close` stops it. */
export async function chartRepository(name = 'hello') {
  const versions = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://charts').pathname
    if (path === '/index.yaml')
      return response.end(
        JSON.stringify({
          apiVersion: 'v1',
          entries: {
            [name]: Array.from(versions.keys(), (version) => ({
              name,
              version,
              appVersion: version,
              description: 'Says hello',
              urls: [`${name}-${version}.tgz`],
            })),
          },
        }),
      )
    const archive = versions.get(/-(\d[^/]*)\.tgz$/.exec(path)?.[1] ?? '')
    return archive === undefined ? response.writeHead(404).end() : response.end(archive)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (version: string, files: Record<string, string>) => {
      const chart = `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "${version}"\n`
      versions.set(version, await chartArchive({ 'Chart.yaml': chart, ...files }))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
