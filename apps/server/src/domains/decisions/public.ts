export { decisionsChanged } from './changed.service.ts'
