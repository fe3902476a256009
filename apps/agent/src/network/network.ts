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

/** The networks of the agent's slots. A step has one of its own, with nothing in it but what the agent allows. */
export interface Network {
  way: NetworkMode
  /** The words in front of a step's command; makes the slot's network where it is not there. */
  enter: (slot: Slot) => Promise<string[]>
  /** Variables that programs need. */
  environment: { name: string; value: string }[]
  /** A file that steps see in the place of the machine's /etc/resolv.conf. */
  resolvConf: string | undefined
  /** How git gets to a repository. Throws a StepFailure where a step does not get there at all. */
  route: (url: URL) => Promise<{ url: string; proxy: string | undefined }>
  /** Takes up the networks of builds that go on, and takes away those that an earlier life of the agent left. */
  adopt: (slots: Slot[]) => Promise<void>
  close: () => Promise<void>
}

/** Where the proxy listens in every step's network: on a port that a step cannot take, having no rights. */
export const proxyPort: Port = { address: '127.0.0.1', port: 800 }
/** Connections of one build at a time, of those that the agent carries. */
const mostConnections = 256
const proxyUrl = `http://${proxyPort.address}:${proxyPort.port}`

type Given = Pick<Config, 'dir' | 'serverUrl' | 'publicUrl' | 'allow' | 'reach' | 'ca'>

export function network(config: Given, way: NetworkMode, user: boolean, log: Log): Network {
  // Builds from before the operator chose this continue as they began.
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
    const bounded = atMost(mostConnections)
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
        // The proxy has to see which path is asked for: it is asked in the clear, and asks the server as that wants.
        const plain = new URL(url)
        plain.protocol = 'http:'
        plain.port = String(port)
        return { url: plain.href, proxy: proxyUrl }
      }
      const { isHere } = await to.admit(url.hostname, port)
      return { url: url.href, proxy: isHere || way === 'proxy' ? proxyUrl : undefined }
    },

    async adopt(slots) {
      const held = new Set(slots.map(folderOf))
      for (const slot of slots) {
        const found = adoptInside(folderOf(slot), user)
        if (found !== undefined)
          await keep(slot, found).catch((cause: unknown) =>
            log('warn', 'the network of a step that goes on is closed', { slot: slot.index, error: messageOf(cause) }),
          )
      }
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !held.has(join(folder, entry.name))) await end(entry.name)
    },

    async close() {
      // one that is being made would be left behind
      await Promise.allSettled(open.values())
      for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) await end(entry.name)
    },
  }
}

/** The machine's own network, without a boundary. */
export const machineNetwork: Network = {
  way: 'host',
  enter: async () => [],
  environment: [],
  resolvConf: undefined,
  route: async (url) => ({ url: url.href, proxy: undefined }),
  adopt: async () => {},
  close: async () => {},
}

/** Refuses connections beyond a number at a time. */
function atMost(most: number): (take: (socket: Socket) => void) => (socket: Socket) => void {
  let open = 0
  return (take) => (socket) => {
    if (open >= most) return void socket.destroy()
    open++
    socket.once('close', () => open--)
    take(socket)
  }
}

/** To a port of this machine, from the same address inside. */
const passage =
  ({ address, port }: Port) =>
  (socket: Socket): void => {
    const upstream = connect({ host: address, port, allowHalfOpen: true })
    pipeline(socket, upstream, () => {})
    pipeline(upstream, socket, () => {})
  }

/** Programs read one spelling or the other. What a step itself listens on is reached without. */
const proxyVariables = [
  ...['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => ({ name, value: proxyUrl })),
  ...['no_proxy', 'NO_PROXY'].map((name) => ({ name, value: 'localhost,127.0.0.1,::1' })),
  // Node's own clients look at the variables only where they are asked to.
  { name: 'NODE_USE_ENV_PROXY', value: '1' },
]
