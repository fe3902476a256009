import { attacks } from './attacks.ts'
import { enter, type TenantPlace } from './tenant.ts'

/** The process of one attack. Arguments: the attack's name and the attacker's team. It ends at the first message. */
const [, , name = '', place = ''] = process.argv
const hostile = await enter(JSON.parse(place) as TenantPlace)
const over = new AbortController()
process.once('message', () => over.abort())
process.send?.('begun')
await attacks[name]?.(hostile, over.signal)
process.exit()
