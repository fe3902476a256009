import type { Config } from '../config.ts'

/** Of all addresses, the one of this machine. */
const reachable: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Where this product is reached: GANTRY_PUBLIC_URL, else by the address that it listens on. Without a slash at the end. */
export function ownOrigin({ publicUrl, host, port, tls }: Pick<Config, 'publicUrl' | 'host' | 'port' | 'tls'>): string {
  if (publicUrl !== undefined) return publicUrl
  const name = reachable[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}
