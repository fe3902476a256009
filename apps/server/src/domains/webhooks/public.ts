export { tellAlarmChannel, tellWebhooks } from './deliveries.service.ts'
