import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import type { Config, NetworkMode } from '../config.ts'
import { isAlive } from '../executors/process-tree.ts'
import { messageOf, type Log } from '../log.ts'
import type { Slot } from '../workspace/workspace.ts'
import { destinations, portOf, type Port } from './destinations.ts'
import { adoptInside, endInside, makeInside, openDoors, type Inside, type Opened } from './inside.ts'
import { nameForwarder } from './names.ts'
import { closeNat, openNat } from './nat.ts'
import { stepProxy } from './proxy.ts'

/** The networks of the agent's slots. A step has its own network, with nothing in it but what the agent allows. */
export interface Network {
  way: NetworkMode
  /** The words before a step's command; creates the slot's network if it does not exist. */
  enter: (slot: Slot) => Promise<string[]>
  /** Variables that programs need. */
  environment: { name: string; value: string }[]
  /** A file that steps see as /etc/resolv.conf. */
  resolvConf: string | undefined
  /** The URL and the proxy by which git reaches a repository. Throws a StepFailure if steps may not reach it. */
  route: (url: URL) => Promise<{ url: string; proxy: string | undefined }>
  /** Continues the networks of builds that go on, and removes the others that an earlier agent process left. */
  adopt: (slots: Slot[]) => Promise<void>
  close: () => Promise<void>
}

/** The address of the proxy in every step's network: a port that a step cannot take, as it has no rights. */
export const proxyPort: Port = { address: '127.0.0.1', port: 800 }
/** The most concurrent connections of a build, of those that go through the agent. */
const maxConnections = 256
const proxyUrl = `http://${proxyPort.address}:${proxyPort.port}`

type Given = Pick<Config, 'dir' | 'serverUrl' | 'publicUrl' | 'allow' | 'reach' | 'ca'>

export function network(config: Given, way: NetworkMode, user: boolean, log: Log): Network {
  // builds that started before the operator chose this keep their networks
  if (way === 'host') return { ...machineNetwork, adopt: network(config, 'proxy', user, log).adopt }
  const folder = join(config.dir, 'net')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const folderOf = (slot: Slot): string => join(folder, `${slot.index}-${slot.uid ?? ''}`)
  const to = destinations(config)
  const proxy = stepProxy(to, config.ca)
  const open = new Map<string, Promise<{ inside: Inside; close: () => void }>>()
  const resolvConf = way === 'nat' ? join(folder, 'resolv.conf') : undefined
  if (resolvConf !== undefined) writeFileSync(resolvConf, 'nameserver 127.0.0.1\n', { mode: 0o644 })

  function doors(): Opened[] {
    const bounded = atMost(maxConnections)
    const names = nameForwarder()
    const name = { address: '127.0.0.1', port: 53 }
    return [
      { door: { kind: 'stream', ...proxyPort }, take: bounded(proxy) },
      ...config.reach.map((at): Opened => ({ door: { kind: 'stream', ...at }, take: bounded(passage(at)) })),
      ...(way === 'nat'
        ? ([
            { door: { kind: 'datagrams', ...name }, attach: names.datagrams },
            { door: { kind: 'stream', ...name }, take: bounded(names.stream) },
          ] as const)
        : []),
    ]
  }

  async function make(slot: Slot): Promise<Inside> {
    const inside = await makeInside(folderOf(slot), user)
    if (way === 'nat' && slot.uid !== undefined) await openNat(inside, slot.uid, config.allow)
    return inside
  }

  async function ready(slot: Slot, found?: Inside): Promise<{ inside: Inside; close: () => void }> {
    const inside = found ?? (await make(slot))
    return { inside, close: await openDoors(inside, doors()) }
  }

  function keep(slot: Slot, found?: Inside): Promise<{ inside: Inside; close: () => void }> {
    const one = ready(slot, found)
    open.set(folderOf(slot), one)
    one.catch(() => open.delete(folderOf(slot)))
    return one
  }

  async function end(name: string): Promise<void> {
    endInside(join(folder, name))
    const uid = name.split('-')[1] ?? ''
    if (uid !== '') await closeNat(Number(uid))
  }

  return {
    way,
    resolvConf,
    environment: way === 'proxy' ? proxyVariables : [],

    async enter(slot) {
      const known = await (open.get(folderOf(slot)) ?? keep(slot))
      if (isAlive(known.inside.holder)) return known.inside.enter
      known.close()
      return (await keep(slot)).inside.enter
    },

    async route(url) {
      const port = portOf(url)
      if (to.isServer(url.hostname, port)) {
        // The proxy must see the path, so git calls it by http; the proxy uses the server's own scheme.
        const plain = new URL(url)
        plain.protocol = 'http:'
        plain.port = String(port)
        return { url: plain.href, proxy: proxyUrl }
      }
      const { isHere } = await to.admit(url.hostname, port)
      return { url: url.href, proxy: isHere || way === 'proxy' ? proxyUrl : undefined }
    },

    async adopt(slots) {
      const inUse = new Set(slots.map(folderOf))
      for (const slot of slots) {
        const found = adoptInside(folderOf(slot), user)
        if (found !== undefined)
          await keep(slot, found).catch((cause: unknown) =>
            log('warn', 'the network of a step that goes on is closed', { slot: slot.index, error: messageOf(cause) }),
          )
      }
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !inUse.has(join(folder, entry.name))) await end(entry.name)
    },

    async close() {
      // wait for those that are being created, which would be left behind
      await Promise.allSettled(open.values())
      for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) await end(entry.name)
    },
  }
}

/** The machine's own network, without any isolation. */
export const machineNetwork: Network = {
  way: 'host',
  enter: async () => [],
  environment: [],
  resolvConf: undefined,
  route: async (url) => ({ url: url.href, proxy: undefined }),
  adopt: async () => {},
  close: async () => {},
}

/** Limits concurrent connections, and closes further ones at once. */
function atMost(most: number): (take: (socket: Socket) => void) => (socket: Socket) => void {
  let open = 0
  return (take) => (socket) => {
    if (open >= most) return void socket.destroy()
    open++
    socket.once('close', () => open--)
    take(socket)
  }
}

/** Forwards connections to a port of this machine, which has the same address inside. */
const passage =
  ({ address, port }: Port) =>
  (socket: Socket): void => {
    const upstream = connect({ host: address, port, allowHalfOpen: true })
    pipeline(socket, upstream, () => {})
    pipeline(upstream, socket, () => {})
  }

/** Programs read either spelling. Ports on which a step itself listens are reached without the proxy. */
const proxyVariables = [
  ...['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => ({ name, value: proxyUrl })),
  ...['no_proxy', 'NO_PROXY'].map((name) => ({ name, value: 'localhost,127.0.0.1,::1' })),
  // Node's own clients use the variables only if this is set
  { name: 'NODE_USE_ENV_PROXY', value: '1' },
]
