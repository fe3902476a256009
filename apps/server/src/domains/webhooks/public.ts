export { tellAlarmChannel, tellWebhooks } from './deliveries.service.ts'
export { notedReceiver, sealReceiver } from './receiver.ts'
