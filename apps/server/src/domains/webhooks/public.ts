export { sealChat } from './chat-address.ts'
export { tellAlarmChannel, tellWebhooks } from './deliveries.service.ts'
