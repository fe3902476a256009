import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'

/** Clusters that nobody reaches from outside often have one way out, a proxy: HTTPS_PROXY, HTTP_PROXY and NO_PROXY name it. */
export function agentFor(url: string): Agent | PlainAgent {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy } = process.env
  const proxyEnv = { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy }
  return url.startsWith('wss:') ? new Agent({ proxyEnv }) : new PlainAgent({ proxyEnv })
}
