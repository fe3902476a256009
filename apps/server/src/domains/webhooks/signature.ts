import { createHmac } from 'node:crypto'

/**
 * Headers of the Standard Webhooks specification. Id, time and body are signed together, so that a delivery can neither
 * be altered nor replayed much later.
 */
export function signed(secret: string, uuid: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${uuid}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': uuid, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
