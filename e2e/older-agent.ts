import { registerHooks } from 'node:module'
import { newSteps } from '@gantry/agent-protocol/protocol'

/** Today's agent, as a separate program, that reports the previous protocol version with every call. */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.includes('/agent-protocol/src/protocol.ts?older')) return loaded
    const ours = String(loaded.source)
    const source = ours.replace(/(protocolVersion = )'[^']+'/, `$1'${newSteps.unknownTo}'`)
    if (source === ours) throw new Error('the version of the protocol was not found')
    return { ...loaded, source }
  },
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return specifier === '@gantry/agent-protocol/protocol' ? { ...resolved, url: `${resolved.url}?older` } : resolved
  },
})

await import('../apps/agent/src/main.ts')
