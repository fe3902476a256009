import { type AgentTells, tunnelPath, tunnelProtocol } from '@gantry/tunnel/frames'
import { ConfigError } from '../config.ts'
import { log, messageOf } from '../log.ts'
import { readAccount, readAgentToken, readClusterConfig } from './config.ts'
import { openLink } from './link.ts'
import { keepLinks } from './links.ts'

/** The kubelet replaces the service account's token about every hour, well before the old one expires. */
const pollMs = 20_000

function main(): void {
  const config = readClusterConfig(process.env, tunnelPath)
  const tells = (): AgentTells => ({ protocol: tunnelProtocol, server: config.api.origin, ...readAccount(config) })
  readAgentToken(config)
  let report = tells()

  const links = keepLinks({
    log,
    open: (onReplicas) =>
      openLink({ url: config.tunnel, token: readAgentToken(config), api: config.api, report, onReplicas }),
  })
  const looking = setInterval(() => {
    try {
      const now = tells()
      if (now.token === report.token && now.ca === report.ca) return
      report = now
      links.tell(report)
    } catch (error) {
      log('warn', 'the token of the service account cannot be read', { error: messageOf(error) })
    }
  }, pollMs)
  log('info', 'the agent of a cluster is ready', { server: config.tunnel, cluster: config.api.origin })

  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    clearInterval(looking)
    void links.stop(5000).then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

try {
  main()
} catch (cause) {
  process.stderr.write(`gantry cluster agent: ${messageOf(cause)}\n`)
  if (!(cause instanceof ConfigError) && cause instanceof Error) process.stderr.write(`${cause.stack ?? ''}\n`)
  process.exit(1)
}
