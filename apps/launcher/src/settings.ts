import { accessSync, constants, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

/** A reason not to start that the owner can fix. The message is the one line that is printed before exit code 1. */
export class Refusal extends Error {}

/** The settings that the launcher itself needs. The server reads and checks its own variables. */
export interface Settings {
  host: string
  port: number
  data: string
  /** How many server processes share the port. */
  servers: number
  sandbox: boolean
  agent: boolean
  /** The URL of an external PostgreSQL; undefined: the embedded one is used. */
  databaseUrl: string | undefined
  tls: { certificateFile: string } | undefined
  /** The address for browsers; the parts on this machine use `localUrl`. */
  publicUrl: string
  localUrl: string
}

export type Variables = Record<string, string | undefined>

/** The variables that are completely checked here, or that the server does not use. */
export const ownSettings: ReadonlySet<string> = new Set([
  'GANTRY_HOST',
  'GANTRY_PORT',
  'GANTRY_DATA',
  'GANTRY_SERVERS',
  'GANTRY_SANDBOX',
  'GANTRY_EMBEDDED_AGENT',
  'GANTRY_PUBLIC_URL',
  'GANTRY_LAB',
])

const isRoot = (): boolean => process.getuid?.() === 0

const defaultData = (env: Variables): string => {
  if (isRoot()) return '/var/lib/gantry'
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? homedir(), 'gantry')
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'gantry')
}

const port = (name: string, text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > 65535)
    throw new Refusal(`${name} is "${text}": give a port from 1 to 65535.`)
  return value
}

const host = (name: string, text: string): string => {
  if (!isIP(text) && text !== 'localhost')
    throw new Refusal(`${name} is "${text}": give an address of this machine, such as 127.0.0.1 or 0.0.0.0.`)
  return text
}

const maxServers = 64

const servers = (name: string, text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > maxServers)
    throw new Refusal(`${name} is "${text}": give a number of processes from 1 to ${maxServers}.`)
  if (value > 1 && process.platform !== 'linux')
    throw new Refusal(`${name} is "${text}": only Linux divides the connections of one port among processes; set 1.`)
  return value
}

const onOff = (name: string, text: string): boolean => {
  if (text !== 'on' && text !== 'off') throw new Refusal(`${name} is "${text}": give on or off.`)
  return text === 'on'
}

const url = (name: string, text: string, protocols: string[]): string => {
  const parsed = URL.parse(text)
  if (!parsed || !protocols.includes(parsed.protocol))
    throw new Refusal(`${name} is no URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
  return text
}

/** The host is empty for Unix sockets, which PostgreSQL's own tools allow and the URL standard does not. */
const databaseUrl = (name: string, text: string): string => {
  url(name, text.replace(/^(\w+:\/\/(?:[^@/]*@)?)(?=\/)/, '$1socket'), ['postgresql:', 'postgres:'])
  return text
}

const readable = (name: string, file: string): string => {
  try {
    accessSync(file, constants.R_OK)
    readFileSync(file)
  } catch (error) {
    throw new Refusal(`${name} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  return resolve(file)
}

const tls = (env: Variables): Settings['tls'] => {
  const [certificate, key] = [env['GANTRY_TLS_CERT'], env['GANTRY_TLS_KEY']]
  if (!certificate && !key) return undefined
  if (!certificate || !key)
    throw new Refusal(`GANTRY_TLS_${certificate ? 'KEY' : 'CERT'} is missing: TLS needs the certificate and its key.`)
  readable('GANTRY_TLS_KEY', key)
  return { certificateFile: readable('GANTRY_TLS_CERT', certificate) }
}

export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.')

/** Throws a Refusal that names the first variable that is wrong. An empty variable counts as absent. */
export const readSettings = (env: Variables): Settings => {
  const bind = host('GANTRY_HOST', env['GANTRY_HOST'] || '127.0.0.1')
  const listen = port('GANTRY_PORT', env['GANTRY_PORT'] || '8080')
  const secure = tls(env)
  const everywhere = bind === '0.0.0.0' || bind === '::'
  const name = isIP(bind) === 6 && !everywhere ? `[${bind}]` : bind
  const localUrl = `${secure ? 'https' : 'http'}://${everywhere ? '127.0.0.1' : name}:${listen}`
  return {
    host: bind,
    port: listen,
    data: resolve(env['GANTRY_DATA'] || defaultData(env)),
    servers: servers('GANTRY_SERVERS', env['GANTRY_SERVERS'] || '1'),
    sandbox: onOff('GANTRY_SANDBOX', env['GANTRY_SANDBOX'] || 'on'),
    agent: onOff('GANTRY_EMBEDDED_AGENT', env['GANTRY_EMBEDDED_AGENT'] || (isLoopback(bind) ? 'on' : 'off')),
    databaseUrl: env['DATABASE_URL'] ? databaseUrl('DATABASE_URL', env['DATABASE_URL']) : undefined,
    tls: secure,
    publicUrl: env['GANTRY_PUBLIC_URL']
      ? url('GANTRY_PUBLIC_URL', env['GANTRY_PUBLIC_URL'], ['http:', 'https:'])
      : localUrl,
    localUrl,
  }
}
