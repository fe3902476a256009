import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { packetRules, type Cidr } from '@gantry/addresses/policy'
import { systemPath } from '../executors/scripts.ts'
import type { Inside } from './inside.ts'

/**
 * Address translation: a pair of interfaces connects a step's network with the machine's. Packets from a step to any
 * address of this machine are rejected, because they arrive through that interface; so are connections to the step.
 * IPv4 only.
 *
 * Everything is named after the slot's user, which no other agent on this machine has.
 */
const deviceOf = (uid: number): string => `gty${uid}`
const chainOf = (uid: number): string => `GANTRY-${uid}`

/** A pair of addresses from the range for network benchmarks, which is not used otherwise. */
function addressesOf(uid: number): { host: string; step: string } {
  const at = (uid % 32_768) * 4
  const address = (n: number): string => `198.${18 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`
  return { host: address(at + 1), step: address(at + 2) }
}

/** Why this machine cannot translate addresses; '' if it can. */
export function whyNoNat(): string {
  if (process.getuid?.() !== 0) return 'it needs root'
  try {
    if (readFileSync('/proc/sys/net/ipv4/ip_forward', 'latin1').trim() === '1') return ''
  } catch {
    // the reason follows below
  }
  return 'this machine does not forward packets: run sysctl -w net.ipv4.ip_forward=1'
}

export async function openNat(inside: Inside, uid: number, allow: Cidr[]): Promise<void> {
  await closeNat(uid)
  const device = deviceOf(uid)
  const { host, step } = addressesOf(uid)
  await run(
    ['ip', '-batch', '-'],
    [
      `link add ${device} type veth peer name eth0 netns ${inside.holder.pid}`,
      `link set ${device} addrgenmode none`,
      `addr add ${host}/30 dev ${device}`,
      `link set ${device} up`,
    ],
  )
  await run(
    [...inside.enter, 'ip', '-batch', '-'],
    [
      'link set eth0 addrgenmode none',
      `addr add ${step}/30 dev eth0`,
      'link set eth0 up',
      `route add default via ${host}`,
    ],
  )
  await run(['iptables-restore', '--noflush', '--wait'], rulesOf(uid, allow))
}

function rulesOf(uid: number, allow: Cidr[]): string[] {
  const device = deviceOf(uid)
  const chain = chainOf(uid)
  const out = packetRules(allow).map(
    ({ range, accept }) => `-A ${chain} -d ${range} -j ${accept ? 'ACCEPT' : 'REJECT'}`,
  )
  return [
    '*filter',
    `:${chain} - [0:0]`,
    // A port of this machine that leads to a container counts as this machine.
    `-A ${chain} -m conntrack --ctstate DNAT -j REJECT`,
    ...out,
    `-A ${chain} -j ACCEPT`,
    ...filterRules(device, chain).map((rule) => `-I ${rule}`),
    'COMMIT',
    '*nat',
    `-A ${translation(uid)}`,
    'COMMIT',
  ]
}

/** The last rule is inserted first. */
const filterRules = (device: string, chain: string): string[] => [
  `INPUT -i ${device} -j REJECT`,
  `OUTPUT -o ${device} -m conntrack --ctstate NEW -j REJECT`,
  `FORWARD -o ${device} -j REJECT`,
  `FORWARD -o ${device} -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT`,
  `FORWARD -i ${device} -j ${chain}`,
]

const translation = (uid: number): string =>
  `POSTROUTING -s ${addressesOf(uid).step}/32 ! -o ${deviceOf(uid)} -j MASQUERADE`

/** Removes everything that `openNat` created, even in an earlier agent process, and nothing else. */
export async function closeNat(uid: number): Promise<void> {
  const chain = chainOf(uid)
  const rules = filterRules(deviceOf(uid), chain).map((rule) => `-D ${rule}`)
  const quietly = (command: string[]): Promise<void> => run(command, []).catch(() => {})
  for (const rule of rules) await quietly(['iptables', '--wait', ...rule.split(' ')])
  await quietly(['iptables', '--wait', '-F', chain])
  await quietly(['iptables', '--wait', '-X', chain])
  await quietly(['iptables', '--wait', '-t', 'nat', '-D', ...translation(uid).split(' ')])
  await quietly(['ip', 'link', 'del', deviceOf(uid)])
}

function run([command = '', ...words]: string[], input: string[]): Promise<void> {
  const child = spawn(command, words, { cwd: '/', env: { PATH: systemPath }, stdio: ['pipe', 'ignore', 'pipe'] })
  return new Promise((done, failed) => {
    let said = ''
    child.stderr.on('data', (part: Buffer) => (said += part.toString('utf8')))
    child.once('error', failed)
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(`${command}: ${said.trim()}`))))
    child.stdin.on('error', () => {})
    child.stdin.end(input.map((line) => `${line}\n`).join(''))
  })
}
