import { createServer as createHttp } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import { chartArchive } from '../chart-archive.ts'
import { fakeOidc } from '../fake-oidc.ts'
import { fakeOpenStack } from '../fake-openstack.ts'
import { gitServer } from '../../../agent/test/git-server.ts'
import { imageRegistry } from '../image-registry.ts'
import { simulatedJira } from '../simulated-jira.ts'

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

/** A registry with one repository, which has a different image for each tag. */
const registry = () =>
  imageRegistry({ 'demo/hello': Object.fromEntries([1, 2, 3, 4, 5, 6].map((tag) => [tag, `image ${tag}`])) })

/** A repository with one chart. */
const charts = (archive: Buffer) =>
  createHttp((request, response) =>
    response.end(
      request.url?.endsWith('.tgz')
        ? archive
        : '{"apiVersion":"v1","entries":{"hello":[{"version":"0.1.0","urls":["hello-0.1.0.tgz"]}]}}',
    ),
  )

/** A mail server that accepts everything and stores nothing. */
const mailServer = () =>
  createTcp((socket) => {
    let data = false
    socket.on('error', () => undefined)
    socket.write('220 fuzz\r\n')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (data) {
          if (line !== '.') continue
          data = false
          socket.write('250 taken\r\n')
        } else if (/^DATA/i.test(line)) {
          data = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else if (/^EHLO/i.test(line)) socket.write('250-fuzz\r\n250 AUTH PLAIN\r\n')
        else socket.write(/^AUTH/i.test(line) ? '235 in\r\n' : '250 fine\r\n')
      }
    })
  })

const chart = { 'Chart.yaml': 'apiVersion: v2\nname: hello\nversion: 0.1.0\n' }

const definition = `stages:
  - name: only
    steps:
      - name: make
        type: script
        run: 'true'
`

/** Minimal outside systems, all on this machine. */
export async function openOutside() {
  const oidc = await fakeOidc()
  const openstack = await fakeOpenStack()
  const jira = await simulatedJira()
  const sources = await gitServer()
  await sources.commit('main', { '.gantry.yaml': definition })
  const [images, mails, helm] = [registry(), mailServer(), charts(await chartArchive(chart))]
  const [registryPort, mailPort, chartsPort] = [await listen(images), await listen(mails), await listen(helm)]
  return {
    oidc,
    openstack,
    jira,
    registryUrl: `http://127.0.0.1:${registryPort}`,
    chartsUrl: `http://127.0.0.1:${chartsPort}`,
    mailPort,
    gitUrl: `${sources.url}/plain/hello.git`,
    close: async () => {
      await sources.close()
      images.closeAllConnections()
      images.close()
      jira.close()
      mails.close()
      helm.closeAllConnections()
      helm.close()
      await oidc.stop()
      await openstack[Symbol.asyncDispose]()
    },
  }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>
